import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../core/log.ts';
import { orAborted } from '../../core/or-aborted.ts';
import {
  freeTurn,
  type RequestBudget,
  type Requester,
  type RequestLimit,
  type RequestTurn,
  windowMarginMs,
} from '../../core/request-budget.ts';
import type { Db, Sql } from '../../database/connection.ts';
import {
  type BudgetPlace,
  type GrantAnswer,
  type GrantRequest,
  personRenewalMs,
  postponeGrant,
  recordThrottle,
  requestGrant,
  reserveForPerson,
} from './request-grants.sql.ts';

/** The request budgets of one market, shared by every process on the database. */
export interface SharedRequestBudget {
  as: (requester: Requester) => RequestBudget;
}

export interface RequestBudgetOptions {
  db: Sql;
  marketId: number;
  /** By endpoint; an endpoint without limits never waits and needs no database. */
  limits: Readonly<Record<string, readonly RequestLimit[]>>;
  log: Log;
  /** How long crawls pause after a throttled response. @default 60000 */
  yieldMs?: number | undefined;
  /** How long the database may take to answer before it counts as unreachable. @default 30000 */
  answerMs?: number | undefined;
  /** Starts a stopwatch in milliseconds. @default the faster-running of two clocks */
  startStopwatch?: (() => () => number) | undefined;
  /** Returns a number from 0 to 1, for jitter. @default Math.random */
  random?: (() => number) | undefined;
}

/** A permit older than this is not used, whatever the limits. */
const staleMs = 1_000;
const firstPauseMs = 250;
const maxPauseMs = 5_000;

/**
 * One budget per endpoint for all processes on the database: never more requests in a window than its limit, first come
 * first served within a process, people before crawls. After a throttled response crawls in all processes pause for a
 * minute. Without the database all requests wait until it is back.
 */
export function createRequestBudget(options: RequestBudgetOptions): SharedRequestBudget {
  const { db, marketId, limits, log, yieldMs = 60_000, answerMs = 30_000, random = Math.random } = options;
  const { startStopwatch = startSystemStopwatch } = options;
  const queues = new Map<string, Promise<unknown>>();
  let isAway = false;

  /** Returns the result of `work`; null after a failure that may be temporary. */
  async function tryOnce<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      const result = await inTime(work(), answerMs);
      if (isAway) log.info({}, 'the request budget is available again');
      isAway = false;
      return result;
    } catch (error) {
      if (!mayPass(error)) throw error;
      if (!isAway)
        log.warn({ err: error }, 'the request budget is unavailable: no requests until it is back');
      isAway = true;
      return null;
    }
  }

  async function takeTurn(place: BudgetPlace, requester: Requester, signal?: AbortSignal) {
    const limitsHere = limits[place.endpoint] ?? [];
    const marginMs = Math.min(...limitsHere.map(({ windowMs }) => windowMarginMs(windowMs)));
    let patienceMs = Math.min(marginMs, staleMs);
    let pauseMs = firstPauseMs;
    let held: number | null = null;
    for (;;) {
      signal?.throwIfAborted();
      // Measured from before the query, because the answer may have waited for a suspended process.
      const ageMs = startStopwatch();
      const request: GrantRequest = { ...place, limits: limitsHere, requester, held };
      const answer: GrantAnswer | null = await tryOnce(() => requestGrant(db, request));
      if (answer === null) {
        await delay(pauseMs * (0.75 + 0.5 * random()), undefined, { signal });
        pauseMs = Math.min(pauseMs * 2, maxPauseMs);
      } else if (answer.kind === 'raced') {
        await delay(random() * 5, undefined, { signal });
      } else if (answer.kind === 'wait') {
        await waitFor(place, requester, answer.waitMs, signal);
      } else if (ageMs() <= patienceMs) {
        return turnOf(place, answer.number, marginMs, ageMs);
      } else {
        held = answer.number;
        // Longer each time, so that a machine that is always this slow still gets a permit.
        patienceMs = Math.min(patienceMs * 2, staleMs);
      }
    }
  }

  async function waitFor(place: BudgetPlace, requester: Requester, waitMs: number, signal?: AbortSignal) {
    if (requester === 'person') await tryOnce(() => reserveForPerson(db, place));
    const longest = requester === 'person' ? Math.min(waitMs, personRenewalMs) : waitMs + random() * 10;
    await delay(longest, undefined, { signal });
  }

  function turnOf(place: BudgetPlace, number: number, marginMs: number, ageMs: () => number): RequestTurn {
    let ended = false;
    return {
      isStale: () => ageMs() > staleMs,
      end: () => {
        if (ended) return;
        ended = true;
        if (ageMs() > marginMs) inBackground(postponeGrant(db, place, { number, marginMs }));
      },
    };
  }

  const inBackground = (work: Promise<void>): void =>
    void work.catch((error: unknown) => log.debug({ err: error }, 'the request budget could not be updated'));

  const as = (requester: Requester): RequestBudget => ({
    awaitTurn: async (endpoint, signal) => {
      signal?.throwIfAborted();
      if ((limits[endpoint] ?? []).length === 0) return freeTurn;
      const queue = `${requester} ${endpoint}`;
      const before = queues.get(queue) ?? Promise.resolve();
      const turn = before.then(() => takeTurn({ marketId, endpoint }, requester, signal));
      queues.set(
        queue,
        turn.catch(() => undefined),
      );
      // An aborted caller leaves at once; its place is released when it reaches the front.
      return await orAborted(turn, signal);
    },
    noteThrottled: (endpoint) => inBackground(recordThrottle(db, { marketId, endpoint }, yieldMs)),
  });
  return { as };
}

/** A connection whose network is gone may be silent for 15 minutes; a new one may work. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const deadline = AbortSignal.timeout(ms);
  return await orAborted(work, deadline);
}

/** Uses two clocks: the monotonic one stops while a machine sleeps, and the other can be changed. */
function startSystemStopwatch(): () => number {
  const [monotonic, wall] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - monotonic, Date.now() - wall);
}

/** Whether an error may be temporary: not a wrong statement (SQLSTATE classes 22, 23, 42) or a closed pool. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return true;
  const isWrong = error.name === 'PostgresError' && /^(22|23|42)/.test(String(error.code));
  return !isWrong && error.code !== 'CONNECTION_ENDED';
}

/** State of the budget of one endpoint. */
export interface RequestBudgetState {
  endpoint: string;
  /** Number of requests allowed so far. */
  granted: number;
  /** Number of throttled responses so far. */
  throttled: number;
  grantedLastMinute: number;
  /** Until when crawls pause because of throttling; null: they do not. */
  yieldUntil: Date | null;
  personWaiting: boolean;
}

/** Returns the budgets of a market by endpoint. */
export async function readRequestBudgets(db: Db, marketId: number): Promise<RequestBudgetState[]> {
  return await db<RequestBudgetState[]>`
    select b.endpoint, b.granted, b.throttled,
      (select count(*) from request_grant g where g.market_id = b.market_id and g.endpoint = b.endpoint
        and g.granted_at > now() - interval '1 minute') as "grantedLastMinute",
      case when b.yield_until > now() then b.yield_until end as "yieldUntil",
      coalesce(b.person_until > now(), false) as "personWaiting"
    from request_budget b where b.market_id = ${marketId} order by b.endpoint`;
}
