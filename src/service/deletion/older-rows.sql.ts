import type { Db } from '../../database/connection.ts';
import { type DoomedRows, olderCrawls } from './doomed-rows.sql.ts';

/** States of orders that rent nothing any more, and outcomes of attempts that rented nothing. */
const endedOrders = ['filled', 'expired', 'out-of-budget', 'failed'];
const endedAttempts = ['refused', 'not-rented', 'offer-gone', 'above-price', 'not-rentable', 'given-up'];

/**
 * Returns the rows besides books that are older than a moment, of these markets; null: of all, and what belongs to none.
 */
export function otherOlderRows(db: Db, before: Date, marketIds: readonly number[] | null): DoomedRows[] {
  const ofMarket = marketIds === null ? db`true` : db`t.market_id = any(${[...marketIds]}::int[])`;
  const ofOrders = marketIds === null ? db`true` : db`o.market_id = any(${[...marketIds]}::int[])`;
  const own: DoomedRows[] = [
    {
      what: 'crawls',
      table: 'crawl',
      // A certificate stays with its book.
      where: db`${ofMarket} and t.book_id is null and ${olderCrawls(db, before)}`,
    },
    {
      what: 'alerts',
      table: 'alert',
      where: db`${ofMarket} and t.at < ${before} and t.held_until is null`,
    },
    {
      what: 'attempts of ended orders',
      table: 'standing_order_attempt',
      // The newest attempt stays, so that no number is used twice.
      where: db`t.at < ${before} and t.outcome = any(${endedAttempts}::text[])
        and exists (select from standing_order o where o.id = t.order_id and ${ofOrders}
          and o.state = any(${endedOrders}::text[]))
        and exists (select from standing_order_attempt n where n.order_id = t.order_id and n.attempt > t.attempt)`,
    },
    { what: 'events', table: 'event', where: db`${ofMarket} and t.at < ${before}` },
  ];
  if (marketIds !== null) return own;
  return [
    ...own,
    { what: 'deliveries', table: 'delivery', where: db`t.ended_at < ${before}` },
    { what: "other sellers' prices", table: 'catalog_price', where: db`t.valid_to < ${before}` },
    {
      what: "other sellers' prices",
      table: 'catalog_snapshot',
      where: db`t.as_of < ${before} and exists (select from catalog_snapshot n
        where n.provider = t.provider and n.as_of > t.as_of)`,
    },
  ];
}
