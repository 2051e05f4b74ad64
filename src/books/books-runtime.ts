import type { Log } from '../core/log.ts';
import type { PricingType } from '../core/offer.ts';
import type { Requester } from '../core/request-budget.ts';
import type { Sql } from '../database/connection.ts';
import type { AskAgain } from '../market/crawl-book.ts';
import type { Marketplace } from '../market/marketplace.ts';
import type { CrawlOutcome } from './crawl/offers-crawler.ts';
import type { BookStatistics } from './landing/book-statistics.ts';
import type { Market } from './markets.sql.ts';

/** The database and the market as commands that crawl, import and seed use them. */
export interface BooksRuntime {
  config: { market: { name: string } | null; allocatedStorageGb: number };
  sql: Sql;
  log: Log;
  now: () => Date;
  /** What is computed of books as they land. */
  statistics: BookStatistics;
  /** The market of reads that name none: the live one, else the newest recorded one, else the simulator's. */
  defaultMarket: () => Promise<Market>;
  /** The default market. Throws UserError where it is a recorded one. */
  crawledMarket: () => Promise<Market>;
  /** The default market, opened on first use; for what a person waits for ahead of what is scheduled. */
  marketFor: (requester: Requester) => Promise<Marketplace>;
  /** What crawls make their calls through. */
  askAgain: AskAgain;
  /**
   * Crawls the offers of a market now, the default one where none is named: all its pricing types or one, one crawl
   * after the other. Throws UserError for a market that is not crawled.
   */
  crawl: (ask: {
    market?: string | undefined;
    type?: PricingType | undefined;
    signal?: AbortSignal | undefined;
  }) => Promise<CrawlOutcome[]>;
  /** Gives the simulated market its first history; returns the books landed. */
  seed: (onProgress: (done: number, total: number) => void, signal?: AbortSignal) => Promise<number>;
}
