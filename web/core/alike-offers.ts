import type { RankedOffer } from './api.ts';

/** What may differ between offers of a machine with as many GPUs, in the order it is said. */
const compared = [
  ['price', 'usdPerHour'],
  ['CPU', 'cpuName', 'cpuCores'],
  ['RAM', 'cpuRamMb'],
  ['disk', 'diskSpaceGb'],
  ['network', 'inetDown', 'inetUp'],
  ['traffic price', 'inetDownUsdPerGb', 'inetUpUsdPerGb'],
  ['end', 'maxDurationHours'],
  ['reliability', 'reliability'],
  ['verification', 'verification'],
] as const;

type Field = (typeof compared)[number] extends readonly [string, ...infer Fields] ? Fields[number] : never;

/** What tells whether offers look the same; a value that is not shown is taken as the same. */
export type LookingOffer = Pick<
  RankedOffer,
  'listingId' | 'market' | 'machineId' | 'gpuName' | 'numGpus' | 'type' | 'usdPerHour'
> &
  Partial<Pick<RankedOffer, Field>>;

/** Which of several offers of its machine with as many GPUs an offer is, `1 of 2`. */
export interface Alike {
  place: number;
  of: number;
  /** What is not the same in all of them, `price`; empty: they look the same. */
  differs: readonly string[];
}

/**
 * Returns, by listing, the place of each offer among those of its machine with its model, GPUs and type: the cheapest first,
 * then by the listing's id, which stays when the offer's id changes, so the place is the same wherever it is shown.
 */
export function alikeOffers(items: readonly LookingOffer[]): ReadonlyMap<string, Alike> {
  const groups = Map.groupBy(items, ({ market, machineId, gpuName, numGpus, type }) =>
    JSON.stringify([market, machineId, gpuName, numGpus, type]),
  );
  return new Map(
    [...groups.values()]
      .filter(({ length }) => length > 1)
      .flatMap((group) => {
        const differs = differencesOf(group);
        return group
          .toSorted((a, b) => a.usdPerHour - b.usdPerHour || Number(a.listingId) - Number(b.listingId))
          .map(({ listingId }, at): [string, Alike] => [
            listingId,
            { place: at + 1, of: group.length, differs },
          ]);
      }),
  );
}

const differencesOf = (group: readonly LookingOffer[]): string[] =>
  compared
    .filter(([, ...fields]) => fields.some((field) => new Set(group.map((offer) => offer[field])).size > 1))
    .map(([word]) => word);
