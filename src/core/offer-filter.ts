import type { Offer } from './offer.ts';
import { type FilterName, filterEntries, type OfferFilterSpec, type offerFilters } from './offer-fields.ts';

type Filters = typeof offerFilters;
type ItemOf<Spec extends OfferFilterSpec> = Spec['field'] extends keyof Offer
  ? NonNullable<Offer[Spec['field']]>
  : never;
type ValueOf<Spec extends OfferFilterSpec> = Spec['operator'] extends 'oneOf' | 'noneOf'
  ? readonly ItemOf<Spec>[]
  : (Spec['operator'] extends 'is' ? boolean : number) | null;

/**
 * Which offers count, besides model and pricing type. A list means any of its values; empty or null means no condition.
 * An offer with an unknown value never meets a condition, but is not removed by an exclusion.
 * Source: docs/meaning.md#filters.
 */
export type OfferFilter = { [Name in FilterName]: ValueOf<Filters[Name]> };

/** A filter without a condition. */
export const noFilter = Object.fromEntries(
  filterEntries.map(([name, { operator }]) => [name, isList(operator) ? [] : null]),
) as unknown as OfferFilter;

/** One condition that a filter sets. */
export type OfferCondition = { name: FilterName; field: OfferFilterSpec['field'] } & (
  | { operator: 'oneOf' | 'noneOf'; values: readonly (number | string)[] }
  | { operator: 'is'; value: boolean }
  /** In the field's unit. */
  | { operator: 'atLeast' | 'atMost'; limit: number }
);

/** Returns the conditions that a filter sets, prices last: they are computed only for the offers that are left. */
export function conditionsOf(filter: Partial<OfferFilter>): OfferCondition[] {
  const conditions = filterEntries.flatMap(([name, { field, operator, scale = 1 }]): OfferCondition[] => {
    const value: unknown = filter[name];
    if (value === null || value === undefined) return [];
    if (operator === 'is') return [{ name, field, operator, value: value as boolean }];
    if (!isList(operator)) return [{ name, field, operator, limit: (value as number) * scale }];
    const values = value as (number | string)[];
    return values.length === 0 ? [] : [{ name, field, operator, values }];
  });
  const isPrice = ({ field }: OfferCondition): boolean => field === 'usdPerHour';
  return [...conditions.filter((each) => !isPrice(each)), ...conditions.filter(isPrice)];
}

/** Whether the filter sets no condition. */
export const isUnfiltered = (filter: OfferFilter): boolean => conditionsOf(filter).length === 0;

/** Whether a filter takes a list of values. */
export function isList(operator: OfferFilterSpec['operator']): operator is 'oneOf' | 'noneOf' {
  return operator === 'oneOf' || operator === 'noneOf';
}
