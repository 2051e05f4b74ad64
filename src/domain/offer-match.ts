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

interface Condition {
  /** The filter's name for it. */
  name: keyof OfferFilter;
  meets: (offer: MatchedOffer) => boolean;
}

const megabytesPerGb = 1000;

/**
 * The filter as a test of an offer of a book, beside model and pricing type: the same conditions as
 * `filterCondition` of src/db has in SQL. `storageGb` is of the profile and enters the price alone.
 */
export function createOfferMatch(filter: OfferFilter, storageGb: number): (offer: MatchedOffer) => boolean {
  const conditions = conditionsOf(filter, storageGb);
  return (offer) => conditions.every(({ meets }) => meets(offer));
}

/** The name of the first condition that an offer does not meet; null: it meets all. */
export function createMismatch(
  filter: OfferFilter,
  storageGb: number,
): (offer: MatchedOffer) => keyof OfferFilter | null {
  const conditions = conditionsOf(filter, storageGb);
  return (offer) => conditions.find(({ meets }) => !meets(offer))?.name ?? null;
}

function conditionsOf(filter: OfferFilter, storageGb: number): Condition[] {
  const conditions: Condition[] = [];
  const add = (name: keyof OfferFilter, meets: Condition['meets']): void =>
    void conditions.push({ name, meets });
  const oneOf = <T>(
    name: keyof OfferFilter,
    values: readonly T[],
    read: (offer: MatchedOffer) => T | null,
  ) => {
    const set = new Set<T | null>(values);
    if (values.length > 0) add(name, (offer) => set.has(read(offer)));
  };
  const noneOf = <T>(
    name: keyof OfferFilter,
    values: readonly T[],
    read: (offer: MatchedOffer) => T | null,
  ) => {
    const set = new Set<T | null>(values);
    if (values.length > 0) add(name, (offer) => !set.has(read(offer)));
  };
  const atLeast = (
    name: keyof OfferFilter,
    limit: number | null,
    read: (offer: MatchedOffer) => number | null,
  ): void => {
    if (limit === null) return;
    add(name, (offer) => {
      const value = read(offer);
      return value !== null && value >= limit;
    });
  };
  const { datacenter, staticIp, minVramGb, maxUsdPerHour } = filter;
  oneOf('numGpus', filter.numGpus, (offer) => offer.numGpus);
  oneOf('machineId', filter.machineId, (offer) => offer.machineId);
  noneOf('excludeMachineId', filter.excludeMachineId, (offer) => offer.machineId);
  oneOf('hostId', filter.hostId, (offer) => offer.hostId);
  noneOf('excludeHostId', filter.excludeHostId, (offer) => offer.hostId);
  oneOf('verification', filter.verification, (offer) => offer.verification);
  oneOf('country', filter.country, (offer) => offer.country);
  if (datacenter !== null) add('datacenter', (offer) => offer.datacenter === datacenter);
  if (staticIp !== null) add('staticIp', (offer) => offer.staticIp === staticIp);
  atLeast('minReliability', filter.minReliability, (offer) => offer.reliability);
  atLeast('minVramGb', minVramGb === null ? null : minVramGb * megabytesPerGb, (offer) => offer.gpuRamMb);
  atLeast('minCuda', filter.minCuda, (offer) => offer.cudaMaxGood);
  atLeast('minDiskGb', filter.minDiskGb, (offer) => offer.diskSpaceGb);
  atLeast('minInetDown', filter.minInetDown, (offer) => offer.inetDown);
  atLeast('minInetUp', filter.minInetUp, (offer) => offer.inetUp);
  if (maxUsdPerHour !== null) {
    add('maxUsdPerHour', (offer) => {
      const price = usdPerHour(offer, storageGb);
      return price !== null && price <= maxUsdPerHour;
    });
  }
  return conditions;
}
