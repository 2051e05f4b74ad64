import type { RequestBudget } from '../../core/request-budget.ts';
import { freeTurn } from '../../core/request-budget.ts';
import type { Clock } from './clock.ts';

/**
 * Creates the request budget of a client that shares it with no one: at least `minIntervalSeconds[endpoint]` between
 * the starts of two requests to an endpoint, in the order of calls; 0 or missing: no wait. Throttled responses change
 * nothing, because the client's own retries wait after them.
 */
export function createLocalBudget(
  minIntervalSeconds: Readonly<Record<string, number>>,
  { now, sleep }: Clock,
): RequestBudget {
  const freeAt = new Map<string, number>();
  return {
    awaitTurn: async (endpoint, signal) => {
      const intervalMs = (minIntervalSeconds[endpoint] ?? 0) * 1_000;
      if (intervalMs <= 0) return freeTurn;
      const at = now();
      const turnAt = Math.max(at, freeAt.get(endpoint) ?? at);
      freeAt.set(endpoint, turnAt + intervalMs);
      if (turnAt > at) await sleep(turnAt - at, signal);
      return freeTurn;
    },
    noteThrottled: () => {},
  };
}
