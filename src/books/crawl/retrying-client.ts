import { setTimeout as delay } from 'node:timers/promises';
import { MarketError, type MarketErrorKind } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { MarketClient } from '../../market/vast/client.ts';

/** The calls that crawls make. */
export type CrawlClient = Pick<
  MarketClient,
  'searchOffers' | 'readInvoicePage' | 'listInstances' | 'extensions'
>;

/**
 * Complete answers that say no or make no sense. The client fails on them at once, since whoever asks something
 * new has to be told; a crawl asks what it always asks.
 */
const retriedKinds: ReadonlySet<MarketErrorKind> = new Set(['contract', 'parse']);
/** Seconds before the second and the third time. */
const defaultPauses = [2, 10] as const;

export interface Patience {
  log: Log;
  /** Waits so many milliseconds, or rejects when the signal aborts. @default the machine's clock */
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

/**
 * A client that asks up to three times where an answer was refused or unreadable, so that one bad answer never
 * costs a book, a reading or a poll. Everything else fails as it does with `client`. Source: docs/faults.md.
 */
export function createRetryingClient(client: CrawlClient, patience: Patience): CrawlClient {
  const { log, sleep = async (ms, signal) => await delay(ms, undefined, { signal }) } = patience;

  async function ask<T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    for (const pauseSeconds of defaultPauses) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof MarketError) || !retriedKinds.has(error.kind)) throw error;
        signal?.throwIfAborted();
        log.warn({ endpoint: error.endpoint, pauseSeconds }, `${error.message}: asking again`);
        await sleep(pauseSeconds * 1_000, signal);
      }
    }
    return await call();
  }

  const { charges } = client.extensions;
  return {
    searchOffers: (query, options = {}) => ask(() => client.searchOffers(query, options), options.signal),
    readInvoicePage: (query, token, options = {}) =>
      ask(() => client.readInvoicePage(query, token, options), options.signal),
    listInstances: (options = {}) => ask(() => client.listInstances(options), options.signal),
    extensions: {
      ...client.extensions,
      charges: charges && {
        ...charges,
        readChargePage: (query, token, options = {}) =>
          ask(() => charges.readChargePage(query, token, options), options.signal),
      },
    },
  };
}
