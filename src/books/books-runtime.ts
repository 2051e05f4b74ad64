import type { Log } from '../core/log.ts';
import type { PricingType } from '../core/offer.ts';
import type { Requester } from '../core/request-budget.ts';
import type { Sql } from '../database/connection.ts';
import type { AskAgain } from '../market/crawl-book.ts';
import type { Marketplace } from '../market/marketplace.ts';
import type { CrawlOutcome } from './crawl/offers-crawler.ts';
import type { BookStatistics } from './landing/book-statistics.ts';
import type { Market } from './markets.sql.ts';
import type { SeedProgress } from './seed-history.ts';

/** The database and market of the commands that crawl, import and seed. */
export interface BooksRuntime {
  config: { market: { name: string } | null; allocatedStorageGb: number };
  sql: Sql;
  log: Log;
  now: () => Date;
  /** Statistics that are computed as books land. */
  statistics: BookStatistics;
  /** The market for reads that name none: the live one, else the newest recorded one, else the simulated one. */
  defaultMarket: () => Promise<Market>;
  /** Returns the default market. Throws UserError if it is a recorded one. */
  crawledMarket: () => Promise<Market>;
  /** Returns the default market, opened on first use; a person's requests go before scheduled ones. */
  marketFor: (requester: Requester) => Promise<Marketplace>;
  /** Makes the market calls of crawls, and repeats a call whose response is refused or unreadable. */
  askAgain: AskAgain;
  /**
   * Crawls the offers of a market now, by default the default one: one or all of its pricing types, in sequence. Throws
   * UserError for a market that is not crawled.
   */
  crawl: (ask: {
    market?: string | undefined;
    type?: PricingType | undefined;
    signal?: AbortSignal | undefined;
  }) => Promise<CrawlOutcome[]>;
  /** Creates the simulated market's first history; returns the number of books landed. */
  seed: (onProgress: SeedProgress, signal?: AbortSignal) => Promise<number>;
}
