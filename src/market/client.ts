import type { Log } from '../domain/log.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Dialect, EndpointName } from './dialect.ts';
import { defaultTimeouts, type Timeouts } from './exchange.ts';
import { createRequestEngine } from './http.ts';
import { createSearchOffers, type SearchOffers } from './offers.ts';

/** The marketplace as the program sees it. */
export interface MarketClient {
  searchOffers: SearchOffers;
  /** Ends open calls, which reject, and connections. */
  close: () => Promise<void>;
}

/** What a client needs; the last ones are for tests and budgets. */
export interface MarketClientOptions {
  /** The market's base address; a path in it is kept. */
  baseUrl: string;
  apiKey: string;
  dialect: Dialect;
  /** Larger answers, counted decompressed, are refused. */
  maxBodyBytes: number;
  log: Log;
  /** @default the machine's clock, never running backwards */
  now?: Clock['now'] | undefined;
  /** @default Math.random */
  random?: (() => number) | undefined;
  sleep?: Clock['sleep'] | undefined;
  /** Waits for the caller's budget, before each attempt. @default no wait */
  awaitTurn?: ((endpoint: EndpointName, signal?: AbortSignal) => Promise<void>) | undefined;
  /** @default 60 s to the headers, 30 s without a byte, 300 s in all */
  timeouts?: Partial<Timeouts> | undefined;
}

/** A client of one market with one key. Throws UserError for an address or a key that cannot be used. */
export function createMarketClient(options: MarketClientOptions): MarketClient {
  const { now = systemClock.now, sleep = systemClock.sleep, random = Math.random } = options;
  const { baseUrl, apiKey, dialect, maxBodyBytes, log, awaitTurn = async () => undefined } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const clock = { now, sleep };
  const engine = createRequestEngine({
    ...{ baseUrl, apiKey, dialect, maxBodyBytes, log, clock, random, timeouts, awaitTurn },
  });
  return { searchOffers: createSearchOffers(engine, dialect), close: engine.close };
}
