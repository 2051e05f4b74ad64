import { InvalidArgs } from './invalid-args.ts';
import type { MutantSwitch } from './mutant-switch.ts';
import type { OfferRow } from './offer-table.ts';
import { isJsonObject } from './request-body.ts';
import type { Filter, Operator, OrderKey, SearchRequest } from './search-request.ts';

const wrongOperators: Readonly<Record<Operator, Operator>> = {
  eq: 'neq',
  neq: 'eq',
  gt: 'gte',
  gte: 'gt',
  lt: 'lte',
  lte: 'lt',
  in: 'notin',
  notin: 'in',
};

/** What the mutants of section 4.2 make of a search that was understood. */
export function mutateSearch(request: SearchRequest, mutants: MutantSwitch): SearchRequest {
  if (!mutants.any) return request;
  return {
    ...request,
    type: mutants.has('search-type-ignored') ? 'on-demand' : request.type,
    limit: mutants.has('search-limit-ignored') ? null : request.limit,
    storageGb: mutants.has('search-storage-ignored') ? 8 : request.storageGb,
    filters: request.filters.filter(({ field }) => !mutants.has(`filter-ignored:${field}`)).map(mutateFilter),
    order: mutateOrder(request.order, mutants),
  };

  function mutateFilter(filter: Filter): Filter {
    if (!mutants.has(`operator-wrong:${filter.operator}`)) return filter;
    return { ...filter, operator: wrongOperators[filter.operator] };
  }
}

function mutateOrder(order: readonly OrderKey[], mutants: MutantSwitch): readonly OrderKey[] {
  if (mutants.has('search-order-ignored')) return [];
  const kept = mutants.has('search-order-second-key-ignored') ? order.slice(0, 1) : order;
  if (mutants.has('search-order-asc-turned')) return kept.map((key) => ({ ...key, descending: true }));
  return mutants.has('search-order-direction-ignored')
    ? kept.map((key) => ({ ...key, descending: false }))
    : kept;
}

/** What they make of a body before it is read. Throws InvalidArgs for a pricing type that a mutant refuses. */
export function mutateSearchBody(body: unknown, mutants: MutantSwitch): unknown {
  if (!mutants.any || !isJsonObject(body)) return body;
  const { type } = body;
  if (typeof type === 'string' && mutants.has(`search-type-refused:${type}`)) {
    throw new InvalidArgs(`type must not be ${type}`);
  }
  return {
    ...(mutants.has('search-storage-default-other') ? { allocated_storage: 10 } : {}),
    ...(mutants.has('search-type-default-other') ? { type: 'bid' } : {}),
    ...(mutants.has('search-cpu-arch-unfiltered') ? { cpu_arch: { notin: [] } } : {}),
    ...body,
  };
}

/** And of the offers found. */
export function mutateVerification(offers: readonly OfferRow[], mutants: MutantSwitch): readonly OfferRow[] {
  if (!mutants.has('offer-verification-other')) return offers;
  return offers.map((row) => (row.verification === 'unverified' ? { ...row, verification: 'none' } : row));
}
