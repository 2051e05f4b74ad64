import { setTimeout as delay } from 'node:timers/promises';
import { MarketError, type MarketErrorKind } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { AskAgain } from '../../market/crawl-book.ts';

/**
 * Kinds of errors in complete responses: refused or unreadable. The market's client does not retry them, because a
 * person must know about them; a crawl repeats the same call.
 */
const retriedKinds: ReadonlySet<MarketErrorKind> = new Set(['contract', 'parse']);
/** Seconds before the second and third attempts. */
const defaultPauses = [2, 10] as const;

export interface Patience {
  log: Log;
  /** Waits for milliseconds, or rejects when the signal aborts. @default the machine's clock */
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

/**
 * Makes calls up to three times if the response was refused or unreadable, so that one bad response never costs a book,
 * a sync or a poll. Other errors are thrown at once. Source: docs/faults.md.
 */
export function createAskAgain(patience: Patience): AskAgain {
  const { log, sleep = async (ms, signal) => await delay(ms, undefined, { signal }) } = patience;
  return async (call, signal) => {
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
  };
}
