import { type Changes, changedQuery } from '../../core/address.ts';
import type { App } from '../../core/app.ts';
import { countFilters, filterFields, offerNames, pickParameters } from '../../parts/filter-fields.ts';
import {
  askedQuery,
  asksTrust,
  canBeReliable,
  type StatedTrust,
  withoutReliable,
} from '../deals/reliable-query.ts';

/** Returns a query with the filters of reliable offers; null: it says itself which, or none can be reliable. */
export const reliableFilters = (query: URLSearchParams, trust: StatedTrust): URLSearchParams | null =>
  asksTrust(query) || !canBeReliable(trust)
    ? null
    : askedQuery(changedQuery(query, { reliable: null }), trust);

/** Returns the address that draws only reliable offers; null: the filters say which are drawn, or none can be reliable. */
export function onlyReliable(app: App, query: URLSearchParams, trust: StatedTrust): string | null {
  const filters = reliableFilters(query, trust);
  if (filters === null) return null;
  const names = new Set(pickParameters(filters, offerNames).keys());
  const changes: Changes = Object.fromEntries([...names].map((name) => [name, filters.getAll(name)]));
  return app.address.with(changes);
}

/** Returns which offers a query draws: `all offers`, `reliable offers`, `verified offers` or `filtered offers`. */
export function drawnSet(query: URLSearchParams, trust: StatedTrust): string {
  if (!asksTrust(query)) return 'all offers';
  if (withoutReliable(query, trust) !== null) return 'reliable offers';
  const isVerified = String(query.getAll('verification')) === 'verified' && !query.has('minReliability');
  return isVerified ? 'verified offers' : 'filtered offers';
}

/** Whether a query draws all reliable offers: its filters are those of reliable ones, and no others. */
export function drawsAllReliable(query: URLSearchParams, trust: StatedTrust): boolean {
  const others = withoutReliable(query, trust);
  return asksTrust(query) && others !== null && countFilters(others, filterFields) === 0;
}
