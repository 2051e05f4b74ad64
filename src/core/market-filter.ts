/** Comparisons that the market supports. Source: docs/marketplace.md#42-search-offers. */
export const filterOperators = ['eq', 'neq', 'gt', 'lt', 'gte', 'lte', 'in', 'notin'] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** One comparison: exactly one operator and its value, `{ gte: 2 }`. */
export type FilterCondition = Partial<Record<FilterOperator, unknown>>;

/** Conditions by the market's own field name, all of which must hold: `{ num_gpus: { gte: 2 } }`. */
export type MarketFilters = Readonly<Record<string, FilterCondition>>;
