import type { Market } from '../books/markets.sql.ts';
import { findScope, newestBooks } from '../books/newest-books.sql.ts';
import type { Log } from '../core/log.ts';
import type { Sql } from '../database/connection.ts';
import type { OutlierTests } from '../prices/newest/newest-offers.ts';
import type { PriceCache } from '../prices/newest/newest-offers-cache.ts';
import { prepareVerdicts } from '../prices/verdicts/verdicts.ts';

const lookMs = 5_000;
/** Rests after work for this many times its duration. */
const restFactor = 10;

interface Dependencies {
  sql: Sql;
  log: Log;
  defaultMarket: () => Promise<Market>;
  priceCache: PriceCache & { outlierTests: OutlierTests };
}

/**
 * Reads and judges each newest book of the default market soon after it has landed, in whichever process, so that no
 * request has to. Returns a function that ends it.
 */
export function startCacheWarming(deps: Dependencies): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | null = null;
  let warmed = '';
  const look = async (): Promise<void> => {
    const startedAt = performance.now();
    try {
      warmed = await warmUp(deps, warmed);
    } catch (error) {
      // The next request reports the error, if it persists.
      if (!stopped) deps.log.debug({ err: error }, 'the newest books could not be read ahead');
    }
    wait(lookMs + restFactor * (performance.now() - startedAt));
  };
  const wait = (ms: number): void => {
    if (!stopped) timer = setTimeout(() => void look(), ms).unref();
  };
  wait(lookMs);
  return () => {
    stopped = true;
    if (timer !== null) clearTimeout(timer);
  };
}

/** Reads the newest books into the cache and returns a key of them; does nothing if the key equals `warmed`. */
export async function warmUp(
  { sql, defaultMarket, priceCache }: Dependencies,
  warmed: string,
): Promise<string> {
  const { id: marketId } = await defaultMarket();
  const scopeId = await findScope(sql, marketId);
  const books = scopeId === null ? [] : await newestBooks(sql, scopeId);
  const key = books.map(({ id }) => id).join(' ');
  if (scopeId === null || key === warmed) return key;
  for (const book of books) {
    const current = await priceCache.currentOffers(sql, book);
    if (book.verdict !== 'complete') continue;
    const series = { marketId, scopeId, type: book.type };
    const outlierTest = await priceCache.outlierTests(series, book.observedAt);
    const pools = await priceCache.poolsAt(sql, series, book);
    await prepareVerdicts({ pools, current, outlierTest });
  }
  return key;
}
