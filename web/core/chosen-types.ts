import type { PricingType } from './api.ts';

/** Returns the pricing types of a query; on-demand by default. */
export function chosenTypes(query: URLSearchParams): PricingType[] {
  const types = query.getAll('type') as PricingType[];
  return types.length === 0 ? ['on-demand'] : types;
}
