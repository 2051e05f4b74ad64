import type { MarketFilters } from '../../core/market-filter.ts';
import type { PricingType } from '../../core/offer.ts';
import type { Verification } from '../../core/offer-fields.ts';
import type { Dialect } from './dialect.ts';
import { offerFieldsOf } from './filter-fields.ts';
import { findFilterProblems, refuse } from './filter-rules.ts';
import { findLimitProblem } from './query-rules.ts';

/** A request for one page of offers, in the program's terms. */
export interface OfferQuery {
  type: PricingType;
  /** Maximum rows; the market may cap it lower. */
  limit: number;
  /** GB of storage included in the listed price. */
  allocatedStorageGb: number;
  /** true: offers that can be rented now; false: others. */
  rentable: boolean;
  /** Models, at least one; omitted: all. */
  gpuNames?: readonly string[] | undefined;
  /** All models but these, at least one; instead of `gpuNames`. */
  exceptGpuNames?: readonly string[] | undefined;
  /** `id`: pages continue with `afterId`; `id-desc`: highest first; `price-id`: by listed price, then id. */
  order: 'id' | 'id-desc' | 'price-id';
  /** Only this offer; instead of `afterId`. */
  offerId?: number | undefined;
  /** Only offers of this machine. */
  machineId?: number | undefined;
  /** true: only datacenters; false: only others; omitted: both. */
  datacenter?: boolean | undefined;
  /** Additional conditions by the market's field names, such as a template's; they override the ones above. */
  filters?: MarketFilters | undefined;
  /** Only ids above this. */
  afterId?: number | undefined;
  /** Listed $/hour of at least this, storage included. */
  minUsdPerHour?: number | undefined;
  /** Listed $/hour of exactly this; instead of `minUsdPerHour`. */
  exactUsdPerHour?: number | undefined;
  /** Omitted: every tier of the dialect. */
  verification?: readonly Verification[] | undefined;
}

/**
 * Returns the search body. Sends every filter, because a market's defaults silently hide offers. Throws RangeError for
 * a query that contradicts itself or selects no model, UserError for wrong filters and a limit below 1.
 * Source: docs/marketplace.md#42-search-offers, docs/meaning.md#crawling.
 */
export function toSearchBody(query: OfferQuery, dialect: Dialect): Record<string, unknown> {
  const { storageParameter, typeNames, fixedFilters, verificationTiers } = dialect.search;
  const { filters = {}, machineId } = query;
  const limitProblem = findLimitProblem(query.limit, 'search');
  refuse([
    ...(limitProblem === null ? [] : [limitProblem]),
    ...findFilterProblems(filters, offerFieldsOf(dialect)),
  ]);
  return {
    type: typeNames[query.type],
    limit: query.limit,
    order: orders[query.order],
    [storageParameter]: query.allocatedStorageGb,
    rentable: { eq: query.rentable },
    ...fixedFilters,
    verification: { in: [...(query.verification ?? verificationTiers)] },
    ...gpuFilter(query),
    ...priceFilter(query),
    ...idFilter(query),
    ...(machineId === undefined ? {} : { machine_id: { eq: machineId } }),
    ...(query.datacenter === undefined
      ? {}
      : { [dialect.search.datacenterParameter]: { eq: query.datacenter } }),
    ...filters,
  };
}

const orders: Record<OfferQuery['order'], readonly (readonly [field: string, direction: string])[]> = {
  id: [['id', 'asc']],
  'id-desc': [['id', 'desc']],
  'price-id': [
    ['dph_total', 'asc'],
    ['id', 'asc'],
  ],
};

function idFilter({ offerId, afterId }: OfferQuery): object {
  if (offerId !== undefined && afterId !== undefined) {
    throw new RangeError('offerId and afterId exclude each other');
  }
  if (offerId !== undefined) return { id: { eq: offerId } };
  return afterId === undefined ? {} : { id: { gt: afterId } };
}

function gpuFilter({ gpuNames, exceptGpuNames }: OfferQuery): object {
  if (gpuNames !== undefined && exceptGpuNames !== undefined) {
    throw new RangeError('gpuNames and exceptGpuNames exclude each other');
  }
  if (exceptGpuNames !== undefined) {
    if (exceptGpuNames.length === 0) throw new RangeError('exceptGpuNames is empty: leave it out');
    return { gpu_name: { notin: [...exceptGpuNames] } };
  }
  if (gpuNames === undefined) return {};
  const [only] = gpuNames;
  if (only === undefined) throw new RangeError('gpuNames is empty: leave it out to ask for all models');
  return { gpu_name: gpuNames.length === 1 ? { eq: only } : { in: [...gpuNames] } };
}

function priceFilter({ minUsdPerHour, exactUsdPerHour }: OfferQuery): object {
  if (minUsdPerHour !== undefined && exactUsdPerHour !== undefined) {
    throw new RangeError('minUsdPerHour and exactUsdPerHour exclude each other');
  }
  if (exactUsdPerHour !== undefined) return { dph_total: { eq: exactUsdPerHour } };
  return minUsdPerHour === undefined ? {} : { dph_total: { gte: minUsdPerHour } };
}
