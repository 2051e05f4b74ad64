import type { RankedOffer } from './api.ts';
import { formatUsd } from './figures.ts';

/** What tells whether offers look the same. */
export type LookingOffer = Pick<
  RankedOffer,
  'listingId' | 'market' | 'machineId' | 'gpuName' | 'numGpus' | 'type' | 'usdPerHour'
>;

/** Which of several offers of its machine with as many GPUs an offer is, `1 of 2`. */
export interface Alike {
  place: number;
  of: number;
  /** Whether they have different prices, as these are shown. */
  differs: boolean;
}

/**
 * Returns, by listing, the place of each offer among those of its machine with its model, GPUs and type: the cheapest first,
 * then by the listing's id, which stays when the offer's id changes. A listing with several prices, as over time, is one.
 */
export function alikeOffers(items: readonly LookingOffer[]): ReadonlyMap<string, Alike> {
  const groups = Map.groupBy(items, ({ market, machineId, gpuName, numGpus, type }) =>
    JSON.stringify([market, machineId, gpuName, numGpus, type]),
  );
  return new Map([...groups.values()].flatMap(placesIn));
}

function placesIn(group: readonly LookingOffer[]): [string, Alike][] {
  const offers = [...new Map(group.map((offer) => [offer.listingId, offer])).values()];
  if (offers.length < 2) return [];
  const differs = new Set(offers.map(({ usdPerHour }) => formatUsd(usdPerHour))).size > 1;
  return offers
    .toSorted((a, b) => a.usdPerHour - b.usdPerHour || Number(a.listingId) - Number(b.listingId))
    .map(({ listingId }, at) => [listingId, { place: at + 1, of: offers.length, differs }]);
}
