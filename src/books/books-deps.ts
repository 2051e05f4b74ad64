import type { Log } from '../core/log.ts';
import type { Sql } from '../database/connection.ts';
import type { CrawlOrder } from './crawl-order.ts';
import type { Market } from './markets.sql.ts';

/** What the routes of books need. */
export interface BooksDeps {
  sql: Sql;
  log: Log;
  now: () => Date;
  /** The market of requests that name none: live, else the newest recorded, else simulated. */
  defaultMarket: () => Promise<Market>;
  /** Queues a crawl of the default market; resolves when its crawls are known. */
  crawlNow: (order: CrawlOrder) => Promise<{ crawlIds: string[] }>;
}
