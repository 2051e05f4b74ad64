import type { Reply } from './balancer.ts';

/** Counts replies by how they ended. */
export interface Tally {
  add: (reply: Reply) => void;
  answered: () => number;
  /** In flight to a process that was killed. */
  lost: () => number;
  /** 503 with `Retry-After` while the database was away. */
  unavailable: () => number;
  /** Everything else that is not an answer: the first of each kind. */
  errors: () => { count: number; first: string[] };
  /** Milliseconds of the answered requests since a moment, at these shares. */
  percentiles: (shares: readonly number[], from?: number) => number[];
  /** Answers per second between two moments of `performance.now()`. */
  perSecond: (from: number, to: number) => number;
}

const maxFirst = 5;

/** Returns an empty tally. `isAway` says whether the database is away at a moment. */
export function createTally(isAway: (at: number) => boolean): Tally {
  const times: { at: number; ms: number }[] = [];
  const first: string[] = [];
  let [lost, unavailable, errors] = [0, 0, 0];
  const fail = (what: string): void => {
    errors += 1;
    if (first.length < maxFirst) first.push(what.slice(0, 300));
  };
  return {
    add: ({ ending, ms, at }) => {
      if (ending.kind === 'lost') lost += 1;
      else if (ending.kind === 'broken') fail(ending.why);
      else if (ending.status === 503 && ending.retryAfter !== null && (isAway(at) || isAway(at + ms)))
        unavailable += 1;
      // A rental that the market or a guard refuses is an answer.
      else if (ending.status >= 500 || [400, 401, 403, 404, 429].includes(ending.status))
        fail(`${ending.status} ${ending.text}`);
      else times.push({ at, ms });
    },
    answered: () => times.length,
    lost: () => lost,
    unavailable: () => unavailable,
    errors: () => ({ count: errors, first }),
    percentiles: (shares, from = 0) => {
      const sorted = times.flatMap(({ at, ms }) => (at >= from ? ms : [])).sort((a, b) => a - b);
      return shares.map((share) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0));
    },
    perSecond: (from, to) => {
      const within = times.filter(({ at, ms }) => at + ms >= from && at + ms <= to).length;
      return Math.round(within / ((to - from) / 1_000));
    },
  };
}
