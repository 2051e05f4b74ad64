import type { Verification } from './offer.ts';
import type { OfferFilter } from './offer-filter.ts';
import { usdPerHour } from './price.ts';

/** What the conditions of a filter look at; null: the market did not say. */
export interface MatchedOffer {
  machineId: number;
  hostId: number | null;
  numGpus: number;
  verification: Verification | null;
  country: string | null;
  datacenter: boolean | null;
  staticIp: boolean | null;
  reliability: number | null;
  gpuRamMb: number | null;
  cudaMaxGood: number | null;
  diskSpaceGb: number | null;
  inetDown: number | null;
  inetUp: number | null;
  baseUsdPerHour: number;
  storageUsdPerGbMonth: number | null;
}

type Condition = (offer: MatchedOffer) => boolean;

const megabytesPerGb = 1000;

/**
 * The filter as a test of an offer of a book, beside model and pricing type: the same conditions as
 * `filterCondition` of src/db has in SQL. `storageGb` is of the profile and enters the price alone.
 */
export function createOfferMatch(filter: OfferFilter, storageGb: number): (offer: MatchedOffer) => boolean {
  const conditions: Condition[] = [];
  const oneOf = <T>(values: readonly T[], read: (offer: MatchedOffer) => T | null): void => {
    if (values.length === 0) return;
    const set = new Set<T | null>(values);
    conditions.push((offer) => set.has(read(offer)));
  };
  const noneOf = <T>(values: readonly T[], read: (offer: MatchedOffer) => T | null): void => {
    if (values.length === 0) return;
    const set = new Set<T | null>(values);
    conditions.push((offer) => !set.has(read(offer)));
  };
  const atLeast = (limit: number | null, read: (offer: MatchedOffer) => number | null): void => {
    if (limit === null) return;
    conditions.push((offer) => {
      const value = read(offer);
      return value !== null && value >= limit;
    });
  };
  oneOf(filter.numGpus, (offer) => offer.numGpus);
  oneOf(filter.machineId, (offer) => offer.machineId);
  noneOf(filter.excludeMachineId, (offer) => offer.machineId);
  oneOf(filter.hostId, (offer) => offer.hostId);
  noneOf(filter.excludeHostId, (offer) => offer.hostId);
  oneOf(filter.verification, (offer) => offer.verification);
  oneOf(filter.country, (offer) => offer.country);
  const { datacenter, staticIp, maxUsdPerHour } = filter;
  if (datacenter !== null) conditions.push((offer) => offer.datacenter === datacenter);
  if (staticIp !== null) conditions.push((offer) => offer.staticIp === staticIp);
  atLeast(filter.minReliability, (offer) => offer.reliability);
  atLeast(filter.minVramGb === null ? null : filter.minVramGb * megabytesPerGb, (offer) => offer.gpuRamMb);
  atLeast(filter.minCuda, (offer) => offer.cudaMaxGood);
  atLeast(filter.minDiskGb, (offer) => offer.diskSpaceGb);
  atLeast(filter.minInetDown, (offer) => offer.inetDown);
  atLeast(filter.minInetUp, (offer) => offer.inetUp);
  if (maxUsdPerHour !== null) {
    conditions.push((offer) => {
      const price = usdPerHour(offer, storageGb);
      return price !== null && price <= maxUsdPerHour;
    });
  }
  return (offer) => conditions.every((meets) => meets(offer));
}
