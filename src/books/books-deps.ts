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
  /** What renting costs on top of prices, in percent, of each configured market. @default nothing anywhere */
  rentingFees?: ReadonlyMap<string, number>;
  /** Queues a crawl of the default market, or of another one's offers; resolves with its crawl ids. */
  crawlNow: (order: CrawlOrder) => Promise<{ crawlIds: string[] }>;
}
