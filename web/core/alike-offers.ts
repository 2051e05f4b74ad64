import type { RankedOffer } from './api.ts';

/** What tells whether offers look the same. */
export type LookingOffer = Pick<
  RankedOffer,
  'listingId' | 'market' | 'machineId' | 'gpuName' | 'numGpus' | 'type' | 'usdPerHour'
>;

/** Which of several offers that look the same an offer is, `1 of 2`. */
export interface Alike {
  place: number;
  of: number;
}

/**
 * Returns, by listing, the place of each offer among those of its machine with its model, GPUs, type and price: by the
 * listing's id, which stays when the offer's id changes, so the place is the same wherever it is shown.
 */
export function alikeOffers(items: readonly LookingOffer[]): ReadonlyMap<string, Alike> {
  const groups = Map.groupBy(items, ({ market, machineId, gpuName, numGpus, type, usdPerHour }) =>
    JSON.stringify([market, machineId, gpuName, numGpus, type, usdPerHour]),
  );
  return new Map(
    [...groups.values()]
      .filter(({ length }) => length > 1)
      .flatMap((group) =>
        group
          .toSorted((a, b) => Number(a.listingId) - Number(b.listingId))
          .map(({ listingId }, at): [string, Alike] => [listingId, { place: at + 1, of: group.length }]),
      ),
  );
}
