import type { Log } from '../core/log.ts';
import type { Sql } from '../database/connection.ts';
import type { CrawlOrder } from './crawl-order.ts';
import type { Market } from './markets.sql.ts';

/** Dependencies of the routes of books. */
export interface BooksDeps {
  sql: Sql;
  log: Log;
  now: () => Date;
  /** The market for requests that name none: the live one, else the newest recorded one, else the simulated one. */
  defaultMarket: () => Promise<Market>;
  /** Each configured market's fee on top of its prices, in percent. @default no fees */
  rentingFees?: ReadonlyMap<string, number>;
  /** Queues a crawl of the default market, or of another market's offers; resolves with the ids of the crawls. */
  crawlNow: (order: CrawlOrder) => Promise<{ crawlIds: string[] }>;
}
