import {
  type ComparedOffer,
  isNumberField,
  type OfferColumns,
  type Places,
  placesWhere,
} from './offer-columns.ts';
import { conditionsOf, type FilterName, type OfferCondition, type OfferFilter } from './offer-filter.ts';
import { usdPerHour } from './price.ts';
import { usdPerHourOf } from './price-columns.ts';

type Value = number | string | boolean | null;

/**
 * Returns the name of the first condition that an offer of a book does not meet, or null; the same conditions as
 * `filterCondition` has in SQL, besides model and type. `storageGb` is the profile's and only affects the price.
 */
export function createMismatch(
  filter: OfferFilter,
  storageGb: number,
): (offer: ComparedOffer) => FilterName | null {
  const conditions = conditionsOf(filter).map((condition) => ({ ...condition, meets: testOf(condition) }));
  return (offer) =>
    conditions.find(
      ({ field, meets }) => !meets(field === 'usdPerHour' ? usdPerHour(offer, storageGb) : offer[field]),
    )?.name ?? null;
}

/** Returns those of the offers at `places` that meet all conditions of `createMismatch`. */
export function matchingPlaces(
  { numbers, words }: OfferColumns,
  places: Places,
  filter: Partial<OfferFilter>,
  storageGb: number,
): Places {
  let left = places;
  // Limits first: they leave few offers to look up in lists.
  const conditions = conditionsOf(filter).toSorted((a, b) => Number('values' in a) - Number('values' in b));
  for (const condition of conditions) {
    const { field } = condition;
    const meets = testOf(condition);
    if (field === 'usdPerHour') {
      const prices = usdPerHourOf(numbers, left, storageGb);
      left = left.filter((_, index) => meets(known(prices[index] as number)));
    } else if (isNumberField(field)) {
      const column = numbers[field];
      left = placesWhere(left, (place) => meets(known(column[place] as number)));
    } else {
      const column = words[field];
      left = placesWhere(left, (place) => meets(column[place] as Value));
    }
  }
  return left;
}

const known = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** Whether a value meets a condition; null: the market did not state the value. */
export function testOf(condition: OfferCondition): (value: Value) => boolean {
  switch (condition.operator) {
    case 'oneOf': {
      const values = new Set<Value>(condition.values);
      return (value) => values.has(value);
    }
    case 'noneOf': {
      const values = new Set<Value>(condition.values);
      return (value) => !values.has(value);
    }
    case 'is':
      return (value) => value === condition.value;
    case 'atLeast': {
      const { limit } = condition;
      return (value) => value !== null && (value as number) >= limit;
    }
    case 'atMost': {
      const { limit } = condition;
      return (value) => value !== null && (value as number) <= limit;
    }
  }
}
