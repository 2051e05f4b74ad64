import { lockListings, lockSeries } from '../../books/landing/locks.sql.ts';
import { removeBook } from '../../books/landing/remove-book.sql.ts';
import { UserError } from '../../core/errors.ts';
import type { PricingType } from '../../core/offer.ts';
import { type Db, inTransaction, type ReservedSql, type Sql } from '../../database/connection.ts';
import { behindRow } from '../../database/paging.sql.ts';
import { preparePoints, refreshPoints } from '../../prices/statistics/refresh-points.sql.ts';
import { appendAudit } from '../../rentals/audit.sql.ts';
import { publishEvent } from '../../rentals/events.sql.ts';

/** A book as it is listed and deleted. */
export interface StoredBook {
  id: number;
  marketId: number;
  market: string;
  scopeId: number;
  scope: string;
  type: PricingType;
  observedAt: Date;
  verdict: 'complete' | 'partial';
  offers: number;
}

const storedBooks = (db: Db) => db`
  select b.id, s.market_id as "marketId", m.name as market, b.scope_id as "scopeId", s.name as scope, b.type,
    b.observed_at as "observedAt", b.verdict, b.offers
  from book b join scope s on s.id = b.scope_id join market m on m.id = s.market_id`;

/** Returns books of markets, newest first, starting behind the book `after` if given. */
export async function listBooks(
  db: Db,
  { marketIds, after, limit }: { marketIds: readonly number[]; after: number | null; limit: number },
): Promise<StoredBook[]> {
  return await db<StoredBook[]>`
    ${storedBooks(db)} where s.market_id = any(${[...marketIds]}::int[])
      and ${behindRow(db, { table: 'book', alias: 'b', moment: 'observed_at' }, after)}
    order by b.observed_at desc, b.id desc limit ${limit}`;
}

/** Returns the existing books with these ids, oldest first. */
export async function findBooks(db: Db, ids: readonly number[]): Promise<StoredBook[]> {
  return await db<StoredBook[]>`
    ${storedBooks(db)} where b.id = any(${[...ids]}::int[]) order by b.observed_at, b.id`;
}

/** Returns the ids of a market's books that came from files with this name. */
export async function findImportedBooks(db: Db, marketId: number, source: string): Promise<number[]> {
  const rows = await db<{ id: number }[]>`
    select distinct book_id as id from crawl
    where market_id = ${marketId} and cause = 'import' and source = ${source} and book_id is not null
      and outcome in ('complete', 'partial')`;
  return rows.map(({ id }) => id);
}

/** Who deletes, when, and the name of the action in the audit log. */
export interface Deletion {
  by: string;
  at: Date;
  /** `delete-book` or `delete-import`. */
  action: string;
  detail: object;
}

/**
 * Deletes books, all or none, with an entry in the audit log; the rest is as if they had never come, except as
 * docs/decisions/0033-deleting-books.md says. Returns the deleted books.
 */
export async function deleteBooks(
  sql: Sql,
  ids: readonly number[],
  deletion: Deletion,
): Promise<StoredBook[]> {
  const db = await sql.reserve('lock');
  try {
    // Long computations between two statements are not a sign of a hung program.
    await db`set idle_in_transaction_session_timeout = 0`;
    const found = await findBooks(db, ids);
    await preparePoints(
      db,
      found.map(({ observedAt }) => observedAt),
    );
    return await inTransaction(db, async (tx) => {
      await lockBooks(tx, found);
      // Another deletion may have come first.
      const books = await findBooks(tx, ids);
      for (const series of seriesOf(books)) await deleteOfSeries(tx, series);
      for (const [market, own] of Map.groupBy(books, (book) => book.market)) {
        const detail = { ...deletion.detail, ...summaryOf(own) };
        const { by, at, action } = deletion;
        await appendAudit(tx, { at, market, actor: by, action, phase: 'after', detail });
      }
      for (const marketId of new Set(books.map((book) => book.marketId))) {
        await publishEvent(tx, { at: deletion.at, marketId, kind: 'book', data: { deleted: books.length } });
      }
      return books;
    });
  } finally {
    await db`reset idle_in_transaction_session_timeout`.catch(() => {});
    db.release();
  }
}

/** Blocks landings of the books' series until the transaction ends. */
export async function lockBooks(tx: ReservedSql, books: readonly StoredBook[]): Promise<void> {
  const series = seriesOf(books).map(([book]) => book);
  series.sort((a, b) => a.scopeId - b.scopeId || a.type.localeCompare(b.type));
  for (const one of series) await lockSeries(tx, one);
  series.sort((a, b) => a.marketId - b.marketId || a.type.localeCompare(b.type));
  for (const one of series) await lockListings(tx, one, true);
}

type Books = [StoredBook, ...StoredBook[]];

const seriesOf = (books: readonly StoredBook[]): Books[] => [
  ...(Map.groupBy(books, ({ scopeId, type }) => `${scopeId} ${type}`).values() as MapIterator<Books>),
];

async function deleteOfSeries(tx: ReservedSql, books: Books): Promise<void> {
  const [series] = books;
  const { scopeId, type, observedAt: first } = series;
  // Oldest first: newest offers come from the newest book and are rebuilt once.
  for (const book of books) await removeBook(tx, series, book);
  await requireReadable(tx, series);
  await refreshPoints(
    tx,
    series,
    books.map(({ observedAt: at }) => ({ at, wholeDay: true, countsOnly: false, isNewest: false })),
  );
  await tx`delete from book_day where scope_id = ${scopeId} and type = ${type} and books = 0`;
  await tx`delete from pool_day where scope_id = ${scopeId} and type = ${type}
    and day >= (${first}::timestamptz at time zone 'UTC')::date`;
  await tx`update scope set deletions = deletions + 1 where id = ${scopeId}`;
  await rewindRules(tx, series);
}

/** Rules that were judged by a deleted book continue with the next remaining one. */
async function rewindRules(tx: ReservedSql, { marketId, scopeId, type }: StoredBook): Promise<void> {
  await tx`update rule_progress p set observed_at = coalesce((
      select max(observed_at) from book where scope_id = ${scopeId} and type = ${type}), '-infinity')
    where scope_id = ${scopeId} and type = ${type} and not exists (
      select from book where scope_id = ${scopeId} and type = ${type} and observed_at >= p.observed_at)`;
  await tx`update rule_state t set judged_at = (
      select max(b.observed_at) from book b join scope s on s.id = b.scope_id where s.market_id = ${marketId})
    where t.market_id = ${marketId} and t.judged_at is not null and not exists (
      select from book b join scope s on s.id = b.scope_id
      where s.market_id = ${marketId} and b.observed_at >= t.judged_at)`;
}

/** For partial books only the newest offers are stored, so an older one cannot replace the newest. */
async function requireReadable(tx: ReservedSql, { scopeId, type, market }: StoredBook): Promise<void> {
  const [newest] = await tx<{ verdict: string; isWhole: boolean }[]>`
    select verdict, offers = (select count(*) from latest_offer where book_id = b.id) as "isWhole"
    from book b where scope_id = ${scopeId} and type = ${type}
    order by verdict = 'complete' desc, observed_at desc limit 1`;
  if (newest === undefined || newest.verdict === 'complete' || newest.isWhole) return;
  throw new UserError(
    `The books before it are partial, and of their offers nothing else is kept: delete those of ${type} in ${market} ` +
      'all at once, or import a complete book first.',
  );
}

/** What a deletion removes, for the audit log and a dry run. */
export function summaryOf(books: readonly StoredBook[]) {
  const moments = books.map(({ observedAt }) => observedAt.toISOString()).sort();
  return {
    books: books.length,
    offers: books.reduce((sum, { offers }) => sum + offers, 0),
    from: moments[0] ?? null,
    to: moments.at(-1) ?? null,
  };
}
