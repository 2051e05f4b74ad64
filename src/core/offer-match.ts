import type { NumberField, OfferColumns, Places, WordField } from './offer-columns.ts';
import type { MatchedOffer, OfferFilter } from './offer-filter.ts';
import { usdPerHour } from './price.ts';
import { usdPerHourOf } from './price-columns.ts';

type NumberTest = (value: number | null) => boolean;
type WordTest = (value: string | boolean | null) => boolean;

/** A condition on one value of an offer, or on its price. `name`: the filter's for it. */
type Condition =
  | { name: keyof OfferFilter; of: 'number'; field: NumberField & keyof MatchedOffer; meets: NumberTest }
  | { name: keyof OfferFilter; of: 'word'; field: WordField; meets: WordTest }
  | { name: 'maxUsdPerHour'; of: 'price'; atMost: number };

const megabytesPerGb = 1000;

/**
 * The name of the first condition of the filter that an offer of a book does not meet, beside model and pricing type:
 * the same conditions as `filterCondition` of prices has in SQL; null: it meets all. `storageGb` is of the profile and
 * enters the price alone.
 */
export function createMismatch(
  filter: OfferFilter,
  storageGb: number,
): (offer: MatchedOffer) => keyof OfferFilter | null {
  const conditions = conditionsOf(filter);
  const meets = (offer: MatchedOffer, condition: Condition): boolean => {
    if (condition.of === 'number') return condition.meets(offer[condition.field]);
    if (condition.of === 'word') return condition.meets(offer[condition.field]);
    const price = usdPerHour(offer, storageGb);
    return price !== null && price <= condition.atMost;
  };
  return (offer) => conditions.find((condition) => !meets(offer, condition))?.name ?? null;
}

/** Those of the offers at `places` that meet all conditions, as `createMismatch` tells of each. */
export function matchingPlaces(
  { numbers, words }: OfferColumns,
  places: Places,
  filter: OfferFilter,
  storageGb: number,
): Places {
  let left = places;
  for (const condition of conditionsOf(filter)) {
    if (condition.of === 'number') {
      const column = numbers[condition.field];
      const { meets } = condition;
      left = left.filter((place) => {
        const value = column[place] as number;
        return meets(Number.isNaN(value) ? null : value);
      });
    } else if (condition.of === 'word') {
      const column = words[condition.field];
      const { meets } = condition;
      left = left.filter((place) => meets(column[place] as string | boolean | null));
    } else {
      const prices = usdPerHourOf(numbers, left, storageGb);
      // An unknown price, NaN, is not below anything.
      left = left.filter((_, index) => (prices[index] as number) <= condition.atMost);
    }
  }
  return left;
}

function conditionsOf(filter: OfferFilter): Condition[] {
  const conditions: Condition[] = [];
  const number = (
    name: keyof OfferFilter,
    field: NumberField & keyof MatchedOffer,
    meets: NumberTest,
  ): void => void conditions.push({ name, of: 'number', field, meets });
  const word = (name: keyof OfferFilter, field: WordField, meets: WordTest): void =>
    void conditions.push({ name, of: 'word', field, meets });
  const among = (values: readonly number[]): NumberTest => {
    const set = new Set<number | null>(values);
    return (value) => set.has(value);
  };
  const amongWords = (values: readonly string[]): WordTest => {
    const set = new Set<string | boolean | null>(values);
    return (value) => set.has(value);
  };
  const atLeast = (
    name: keyof OfferFilter,
    field: NumberField & keyof MatchedOffer,
    limit: number | null,
  ): void => {
    if (limit !== null) number(name, field, (value) => value !== null && value >= limit);
  };
  const { datacenter, staticIp, minVramGb, maxUsdPerHour } = filter;
  if (filter.numGpus.length > 0) number('numGpus', 'numGpus', among(filter.numGpus));
  if (filter.machineId.length > 0) number('machineId', 'machineId', among(filter.machineId));
  if (filter.excludeMachineId.length > 0) {
    const excluded = among(filter.excludeMachineId);
    number('excludeMachineId', 'machineId', (value) => !excluded(value));
  }
  if (filter.hostId.length > 0) number('hostId', 'hostId', among(filter.hostId));
  if (filter.excludeHostId.length > 0) {
    const excluded = among(filter.excludeHostId);
    number('excludeHostId', 'hostId', (value) => !excluded(value));
  }
  if (filter.verification.length > 0) word('verification', 'verification', amongWords(filter.verification));
  if (filter.country.length > 0) word('country', 'country', amongWords(filter.country));
  if (datacenter !== null) word('datacenter', 'datacenter', (value) => value === datacenter);
  if (staticIp !== null) word('staticIp', 'staticIp', (value) => value === staticIp);
  atLeast('minReliability', 'reliability', filter.minReliability);
  atLeast('minVramGb', 'gpuRamMb', minVramGb === null ? null : minVramGb * megabytesPerGb);
  atLeast('minCuda', 'cudaMaxGood', filter.minCuda);
  atLeast('minDiskGb', 'diskSpaceGb', filter.minDiskGb);
  atLeast('minInetDown', 'inetDown', filter.minInetDown);
  atLeast('minInetUp', 'inetUp', filter.minInetUp);
  if (maxUsdPerHour !== null) conditions.push({ name: 'maxUsdPerHour', of: 'price', atMost: maxUsdPerHour });
  return conditions;
}
