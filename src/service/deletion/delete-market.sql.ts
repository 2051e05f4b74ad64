import { UserError } from '../../core/errors.ts';
import { type Db, inTransaction, type Sql } from '../../database/connection.ts';
import { pointTables } from '../../database/month-partitions.ts';
import { appendAudit } from '../../rentals/audit.sql.ts';
import { publishEvent } from '../../rentals/events.sql.ts';
import { openStates } from '../../rentals/rental.ts';
import { type Deletion, findBooks, lockBooks, type StoredBook, summaryOf } from './delete-books.sql.ts';

/** Returns why the prices of a market may not be deleted, as a sentence; null: they may. */
export async function whyMarketStays(db: Db, marketId: number): Promise<string | null> {
  const [row] = await db<
    { instances: number; rentals: number; watches: string[]; rules: number; orders: number }[]
  >`
    select (select count(*) from instance where market_id = ${marketId} and gone_at is null) as instances,
      (select count(*) from rental where market_id = ${marketId} and state = any(${[...openStates]}::text[])) as rentals,
      array(select w.name from watch w join watch_market p on p.watch_id = w.id
        where p.market_id = ${marketId} order by w.name) as watches,
      (select count(*) from rule where market_id = ${marketId}) as rules,
      (select count(*) from standing_order where market_id = ${marketId} and state = 'armed') as orders`;
  if (row === undefined) return null;
  if (row.instances > 0) return `${row.instances} of its instances are live: destroy them first.`;
  if (row.rentals > 0) return `${row.rentals} of its rentals are not settled: settle them first.`;
  if (row.orders > 0) return `${row.orders} standing orders are armed: pause them first.`;
  if (row.watches.length > 0)
    return `Watches follow it (${row.watches.join(', ')}): remove them first, their alerts would go unseen.`;
  return row.rules > 0 ? `${row.rules} rules follow it: remove them first.` : null;
}

/** Returns the ids of all books of a market. */
export async function bookIdsOf(db: Db, marketId: number): Promise<number[]> {
  const rows = await db<{ id: number }[]>`
    select b.id from book b join scope s on s.id = b.scope_id where s.market_id = ${marketId}`;
  return rows.map(({ id }) => id);
}

/**
 * Deletes a market's books, listings, statistics and crawls, all or nothing. Ledger, bills, instances, audit log and
 * the market's name stay. Throws UserError if it is not allowed.
 */
export async function deleteMarket(sql: Sql, marketId: number, deletion: Deletion): Promise<StoredBook[]> {
  const db = await sql.reserve('lock');
  try {
    await db`set idle_in_transaction_session_timeout = 0`;
    return await inTransaction(db, async (tx) => {
      await lockBooks(tx, await findBooks(tx, await bookIdsOf(tx, marketId)));
      const refusal = await whyMarketStays(tx, marketId);
      if (refusal !== null) throw new UserError(refusal);
      const books = await findBooks(tx, await bookIdsOf(tx, marketId));
      const [market] = await tx<{ name: string }[]>`select name from market where id = ${marketId}`;
      for (const table of ['presence', 'price_interval', 'listing_attribute', 'latest_offer']) {
        await tx`delete from ${tx(table)} t using listing l where l.id = t.listing_id and l.market_id = ${marketId}`;
      }
      await tx`delete from listing where market_id = ${marketId}`;
      const ofMarket = tx`scope_id in (select id from scope where market_id = ${marketId})`;
      await tx`delete from record_page where book_id in (select id from book where ${ofMarket})`;
      for (const table of pointTables) {
        await tx`delete from ${tx(table)} where cell_id in (select id from point_cell where ${ofMarket})`;
      }
      for (const table of ['point_cell', 'book_day', 'pool_day', 'index_day', 'index_observation']) {
        await tx`delete from ${tx(table)} where ${ofMarket}`;
      }
      await tx`delete from rule_progress where ${ofMarket}`;
      await tx`delete from crawl where market_id = ${marketId} and kind = 'offers'`;
      await tx`delete from book where ${ofMarket}`;
      await tx`update scope set deletions = deletions + 1, hours_from = null where market_id = ${marketId}`;
      await tx`update market set days_dropped_before = null where id = ${marketId}`;
      const { by, at, action, detail } = deletion;
      await appendAudit(tx, {
        at,
        market: market?.name ?? '',
        actor: by,
        action,
        phase: 'after',
        detail: { ...detail, ...summaryOf(books) },
      });
      await publishEvent(tx, { at, marketId, kind: 'book', data: { deleted: books.length } });
      return books;
    });
  } finally {
    await db`reset idle_in_transaction_session_timeout`.catch(() => {});
    db.release();
  }
}
