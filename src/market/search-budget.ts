import { type Clock, orAborted, systemClock } from './clock.ts';

/** Spends the market's search budget; `awaitTurn` is an argument of `createMarketClient`. */
export interface SearchBudget {
  /** Resolves when a request to `endpoint` may start; only searches wait. Rejects when `signal` aborts. */
  awaitTurn: (endpoint: string, signal?: AbortSignal) => Promise<void>;
}

const windowMs = 60_000;

/**
 * At most `perMinute` searches started in any 60 seconds, first come first served; the first ones go at once.
 * Of this process alone.
 */
export function createSearchBudget(options: {
  perMinute: number;
  now?: Clock['now'] | undefined;
  sleep?: Clock['sleep'] | undefined;
}): SearchBudget {
  const { perMinute, now = systemClock.now, sleep = systemClock.sleep } = options;
  const starts: number[] = [];
  let queue: Promise<unknown> = Promise.resolve();

  async function takeTurn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const oldest = starts.length < perMinute ? undefined : starts[0];
    if (oldest !== undefined) {
      const freeAt = oldest + windowMs;
      for (let at = now(); at < freeAt; at = now()) await sleep(freeAt - at, signal);
      starts.shift();
    }
    starts.push(now());
  }

  return {
    awaitTurn(endpoint, signal) {
      if (endpoint !== 'searchOffers') return Promise.resolve();
      const turn = queue.then(() => takeTurn(signal));
      queue = turn.catch(() => undefined);
      // An aborted caller leaves at once; its place is given up when it comes to the front.
      return orAborted(turn, signal);
    },
  };
}
