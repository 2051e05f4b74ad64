import type { RequestLimit } from '../../core/request-budget.ts';
import type { Dialect } from './dialect.ts';

/** Returns rate limits by endpoint, across all processes: the search budget and the dialect's intervals. */
export function requestLimits(
  { searchesPerMinute }: { searchesPerMinute: number },
  { minIntervalSeconds }: Pick<Dialect, 'minIntervalSeconds'>,
): Record<string, readonly RequestLimit[]> {
  const limits: Record<string, RequestLimit[]> = {};
  for (const [endpoint, seconds] of Object.entries(minIntervalSeconds)) {
    limits[endpoint] = seconds > 0 ? [{ count: 1, windowMs: seconds * 1_000 }] : [];
  }
  limits.searchOffers?.push({ count: searchesPerMinute, windowMs: 60_000 });
  return limits;
}
