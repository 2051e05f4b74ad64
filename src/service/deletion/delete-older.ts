import { UserError } from '../../core/errors.ts';
import type { PricingType } from '../../core/offer.ts';
import { inTransaction, type ReservedSql, type Sql } from '../../database/connection.ts';
import { appendAudit } from '../../rentals/audit.sql.ts';
import { publishEvent } from '../../rentals/events.sql.ts';
import { countRows, type DoomedRows, deleteRows, type RowCount } from './doomed-rows.sql.ts';
import {
  findOlderBooks,
  lockOlderBooks,
  markOlderBooks,
  type OlderBooks,
  olderRows,
  trimToKeptBooks,
} from './older-books.sql.ts';
import { otherOlderRows } from './older-rows.sql.ts';

/** What to delete: everything before a moment. */
export interface OlderThan {
  before: Date;
  /** null: of all markets, and what belongs to none. */
  marketIds: readonly number[] | null;
}

/** What is deleted, or would be. */
export interface OlderSummary {
  /** Per table, in the order of deletion; tables of which nothing goes have 0 rows. */
  tables: (RowCount & { what: string; table: string })[];
  /** Since when the books of each market and type stay; those of which all stay are missing. */
  books: { market: string; type: PricingType; from: Date; before: Date }[];
}

const lockKey = 0x0ffe_b013;
const dayMs = 86_400_000;
/** About what a crawl may have to wait for. */
const maxBooksAtOnce = 400;

/** Returns what `deleteOlder` would delete now, without changing anything or blocking anyone. */
export async function countOlder(sql: Sql, wanted: OlderThan): Promise<OlderSummary> {
  const db = await sql.reserve('lock');
  try {
    return await inTransaction(
      db,
      async (tx) => await countAll(tx, wanted),
      'isolation level repeatable read',
    );
  } finally {
    db.release();
  }
}

/**
 * Deletes everything before a moment, some days of books at a time, so that crawls wait no longer than for such a part.
 * If it is interrupted, every figure is right, and the next run deletes the rest. The audit log says who began it and
 * what would go. Throws UserError while another deletion runs.
 */
export async function deleteOlder(
  sql: Sql,
  wanted: OlderThan,
  audit: { by: string; at: Date },
  { onPart = () => {}, maxBooks = maxBooksAtOnce }: { onPart?: () => void; maxBooks?: number } = {},
): Promise<OlderSummary> {
  const db = await sql.reserve('lock');
  try {
    const [lock] = await db<{ taken: boolean }[]>`select pg_try_advisory_lock(${lockKey}) as taken`;
    if (lock?.taken !== true) {
      throw new UserError('Another deletion of older data is running: wait until it has ended.');
    }
    try {
      await db`set idle_in_transaction_session_timeout = 0`;
      const marketIds = await marketsOf(db, wanted);
      const books = await findOlderBooks(db, marketIds, wanted.before);
      await inTransaction(db, async (tx) => {
        const planned = await countAll(tx, wanted);
        const detail = { before: wanted.before, rows: sumOf(planned.tables).rows, books: planned.books };
        const entry = { at: audit.at, market: '', actor: audit.by, action: 'delete-older' };
        await appendAudit(tx, { ...entry, phase: 'before', detail });
      });
      const totals = createTotals();
      for (const series of books) {
        for (let part = await nextPart(db, series, maxBooks); part !== null; ) {
          await deletePart(db, part, audit.at, totals);
          onPart();
          part = part.before < series.before ? await nextPart(db, series, maxBooks) : null;
        }
      }
      await inTransaction(db, async (tx) => {
        for (const rows of otherOlderRows(tx, wanted.before, wanted.marketIds)) {
          totals.add(rows, await deleteRows(tx, rows));
        }
      });
      return { tables: totals.tables(), books: boundsOf(books) };
    } finally {
      await db`select pg_advisory_unlock(${lockKey})`.catch(() => {});
      await db`reset idle_in_transaction_session_timeout`.catch(() => {});
    }
  } finally {
    db.release();
  }
}

/** Deletes the books of a series before a moment, or nothing. */
async function deletePart(
  db: ReservedSql,
  part: OlderBooks,
  at: Date,
  totals: ReturnType<typeof createTotals>,
): Promise<void> {
  const deleted = await inTransaction(db, async (tx) => {
    await lockOlderBooks(tx, part);
    await markOlderBooks(tx, part);
    const counts: [DoomedRows, RowCount][] = [];
    for (const rows of olderRows(tx, part)) counts.push([rows, await deleteRows(tx, rows)]);
    await trimToKeptBooks(tx, part);
    await tx`update scope set deletions = deletions + 1 where id = any(${part.scopeIds}::int[])`;
    const books = counts.find(([{ table }]) => table === 'book')?.[1].rows ?? 0;
    await publishEvent(tx, { at, marketId: part.marketId, kind: 'book', data: { deleted: books } });
    return counts;
  });
  for (const [rows, count] of deleted) totals.add(rows, count);
}

/** Returns the next whole days with at most `maxBooks` books, but at least one day; null: none is left. */
async function nextPart(db: ReservedSql, series: OlderBooks, maxBooks: number): Promise<OlderBooks | null> {
  const { scopeIds, type, before } = series;
  const ofSeries = db`scope_id = any(${scopeIds}::int[]) and type = ${type}`;
  const [row] = await db<{ first: Date | null; full: Date | null }[]>`
    select min(observed_at) as first, (select observed_at from book where ${ofSeries}
      order by observed_at offset ${maxBooks} limit 1) as full
    from book where ${ofSeries}`;
  const { first = null, full = null } = row ?? {};
  if (first === null || first >= before) return null;
  const dayOf = (moment: Date): number => Math.floor(moment.getTime() / dayMs) * dayMs;
  const until = full === null ? before.getTime() : Math.max(dayOf(full), dayOf(first) + dayMs);
  return { ...series, first, before: new Date(Math.min(until, before.getTime())) };
}

async function countAll(tx: ReservedSql, wanted: OlderThan): Promise<OlderSummary> {
  const books = await findOlderBooks(tx, await marketsOf(tx, wanted), wanted.before);
  const totals = createTotals();
  for (const series of books) {
    await markOlderBooks(tx, series);
    for (const rows of olderRows(tx, series)) totals.add(rows, await countRows(tx, rows));
  }
  for (const rows of otherOlderRows(tx, wanted.before, wanted.marketIds)) {
    totals.add(rows, await countRows(tx, rows));
  }
  return { tables: totals.tables(), books: boundsOf(books) };
}

async function marketsOf(db: ReservedSql, { marketIds }: OlderThan): Promise<readonly number[]> {
  if (marketIds !== null) return marketIds;
  return (await db<{ id: number }[]>`select id from market`).map(({ id }) => id);
}

const boundsOf = (books: readonly OlderBooks[]): OlderSummary['books'] =>
  books.map(({ market, type, first, before }) => {
    return { market, type, from: first, before };
  });

/** Adds up counts by table. */
function createTotals() {
  const byTable = new Map<string, OlderSummary['tables'][number]>();
  return {
    add({ what, table }: DoomedRows, { rows, bytes }: RowCount): void {
      const before = byTable.get(table);
      byTable.set(table, {
        what,
        table,
        rows: rows + (before?.rows ?? 0),
        bytes: bytes + (before?.bytes ?? 0),
      });
    },
    tables: (): OlderSummary['tables'] => [...byTable.values()],
  };
}

/** Returns the sum of several counts. */
export const sumOf = (counts: readonly RowCount[]): RowCount => ({
  rows: counts.reduce((sum, { rows }) => sum + rows, 0),
  bytes: counts.reduce((sum, { bytes }) => sum + bytes, 0),
});
