import { randomUUID } from 'node:crypto';
import type { Log } from '../domain/log.ts';
import type { RecordedBook } from '../domain/recorded-book.ts';
import { createHttpServer, type ServedRequest } from './http-server.ts';
import { createMarketModel } from './model/market-model.ts';
import { createReplay } from './replay.ts';
import { searchRoute } from './routes.ts';
import { answerSearch, type SearchAnswer } from './search.ts';
import { createVirtualClock } from './virtual-clock.ts';

export interface SimulatorOptions {
  /** The same seed makes the same market. @default 1 */
  seed?: number | undefined;
  /** Rentable offers of all tiers in a book of a pricing type, about. @default 1500 */
  offersPerType?: number | undefined;
  /** No answer has more rows than this, and none says so. @default 25000 */
  cap?: number | undefined;
  /** Virtual seconds a second. @default 1 */
  speed?: number | undefined;
  /** The only key that is let in. @default made up */
  apiKey?: string | undefined;
  /** The real clock. @default the system's */
  now?: (() => Date) | undefined;
  /** The virtual time at creation. @default now; with `replay` the first recorded moment */
  startAt?: Date | undefined;
  /** Recorded books to serve in place of a generated market. */
  replay?: readonly RecordedBook[] | undefined;
  log?: Log | undefined;
}

/** A marketplace to build and test against. */
export interface Simulator {
  /** Starts serving on loopback; the port is chosen by the system unless given. Rejects when it is taken. */
  listen(options?: { host?: '127.0.0.1' | undefined; port?: number | undefined }): Promise<{ url: string }>;
  /** Stops serving and drops open connections. */
  close(): Promise<void>;
  /** The virtual time. */
  now(): Date;
  /** What `POST /api/v0/bundles` answers to that parsed body at a virtual moment. @default at now */
  search(body: unknown, at?: Date): SearchAnswer;
  apiKey: string;
  /** The moments of the replayed books, ascending; empty without `replay`. */
  recordedAt: readonly Date[];
  /** The newest 10,000 requests over HTTP, oldest first. */
  requests(): readonly ServedRequest[];
}

/**
 * A simulated marketplace, specification section 4.2. Generated, it is a pure function of seed, size and virtual
 * time: created again later, it is the same market, and `search` works for any moment of some decades.
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const { seed = 1, offersPerType = 1500, cap = 25_000, speed = 1, log } = options;
  const now = options.now ?? (() => new Date());
  const apiKey = options.apiKey ?? `simulated-${randomUUID()}`;
  const source = options.replay ? createReplay(options.replay) : createMarketModel({ seed, offersPerType });
  const startAt = options.startAt ?? source.recordedAt[0] ?? now();
  const clock = createVirtualClock({ now, startAt, speed });
  const routes = [searchRoute(source, cap)];
  const server = createHttpServer({ routes, apiKey, now, virtualNow: clock.now, log });
  return {
    listen: ({ host = '127.0.0.1', port = 0 } = {}) => server.listen({ host, port }),
    close: server.close,
    now: clock.now,
    search: (body, at = clock.now()) => answerSearch(source, body, at, cap),
    apiKey,
    recordedAt: source.recordedAt,
    requests: server.requests,
  };
}
