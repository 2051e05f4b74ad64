import { uuidv7 } from 'uuidv7';
import { onTestFinished } from 'vitest';
import { crawlOffers } from '../../../src/books/crawl/crawl-offers.ts';
import type { CrawlOutcome, OffersCrawler } from '../../../src/books/crawl/offers-crawler.ts';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import { type CrawlScope, defaultScope } from '../../../src/core/crawl-scope.ts';
import type { PricingType } from '../../../src/core/offer.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { createMarketClient } from '../../../src/market/vast/client.ts';
import { createCrawlBook } from '../../../src/market/vast/crawl/crawl-book.ts';
import { defaultDialect } from '../../../src/market/vast/dialect.ts';
import { pointStatistics } from '../../../src/prices/statistics/point-statistics.ts';
import { silentLog } from '../../support/silent-log.ts';

let markets = 0;

/** A crawler of the market at `url`, in a market of its own, whose client neither waits nor retries for long. */
export async function createTestCrawler(
  sql: Sql,
  place: { url: string; apiKey?: string },
  { pageLimit = 100, ...options }: Partial<OffersCrawler> & { pageLimit?: number } = {},
): Promise<OffersCrawler> {
  markets += 1;
  const { id: marketId } = await ensureMarket(sql, `crawled-${markets}`, 'live');
  const client = createMarketClient({
    baseUrl: place.url,
    apiKey: place.apiKey ?? 'test-key-0123',
    dialect: defaultDialect,
    maxBodyBytes: 16_000_000,
    log: silentLog,
    sleep: async () => {},
  });
  onTestFinished(() => client.close());
  return {
    ...{ sql, marketId, log: silentLog },
    crawlBook: createCrawlBook(client, { ...defaultDialect.search, pageLimit }),
    allocatedStorageGb: 8,
    statistics: pointStatistics,
    maxBookMinutes: 120,
    now: () => new Date(),
    ...options,
  };
}

/** One crawl as a command asks for it. */
export async function crawl(crawler: OffersCrawler, type: PricingType = 'on-demand'): Promise<CrawlOutcome> {
  const [outcome] = await crawlScopes(crawler, [defaultScope], type);
  if (outcome === undefined) throw new Error('the crawl had no outcome');
  return outcome;
}

/** One crawl of several scopes together. */
export async function crawlScopes(
  crawler: OffersCrawler,
  scopes: readonly CrawlScope[],
  type: PricingType = 'on-demand',
): Promise<CrawlOutcome[]> {
  const how = { cause: 'command', tickAt: null, jobId: null } as const;
  const runs = scopes.map((scope) => ({ crawlId: uuidv7(), scope, ...how }));
  return await crawlOffers(crawler, { type, crawls: runs });
}

/** What the database holds of a market: books, listings, and the runs with how they ended. */
export async function storedOf(
  sql: Sql,
  marketId: number,
): Promise<{
  books: number;
  offers: number;
  listings: number;
  runs: { outcome: string; reason: string | null }[];
}> {
  const [row] = await sql<{ books: number; offers: number; listings: number }[]>`
    select count(*) as books, coalesce(sum(offers), 0) as offers,
      (select count(*) from listing where market_id = ${marketId}) as listings
    from book b join scope s on s.id = b.scope_id where s.market_id = ${marketId}`;
  const runs = await sql<{ outcome: string; reason: string | null }[]>`
    select outcome, reason from crawl where market_id = ${marketId} order by id`;
  return { books: 0, offers: 0, listings: 0, ...row, runs: runs.map((run) => ({ ...run })) };
}
