import { wholeBuckets } from '../core/bucket.ts';
import { type PricingType, pricingTypes } from '../core/offer.ts';
import { type Db, inTransaction, type ReservedSql, type Sql } from '../database/connection.ts';
import { monthsBefore, type PointTable } from '../database/month-partitions.ts';
import { lockAttributes } from './landing/locks.sql.ts';

/** How long points of books and of hours are kept, in days before a market's newest book. */
export interface Retention {
  pointsDays: number;
  hoursDays: number;
}

/** Default retention. */
export const defaultRetention: Retention = { pointsDays: 14, hoursDays: 400 };

const dayMs = 86_400_000;
const lockKey = 0x0ffe_b012;
/** A verdict uses 90 days before each book of a 30-day backtest; older days are recomputed. */
const poolDays = 121;
/** The two index windows that contain a day; earlier ones are recomputed. */
const indexDays = 56;

/**
 * Returns since when a series' points and its index observations are kept, on a full hour; null: all are kept, as in a
 * recorded market.
 */
export async function retainedSince(
  db: Db,
  scopeId: number,
  type: PricingType,
  retention: Retention,
): Promise<Record<'books' | 'hours' | 'index', Date | null>> {
  const [row] = await db<{ newest: Date | null }[]>`
    select (select least(max(b.observed_at), now()) from scope one join scope each on each.market_id = one.market_id
      cross join lateral (select observed_at from book where scope_id = each.id
        order by observed_at desc limit 1) b where one.id = ${scopeId}) as newest
    from scope s join market m on m.id = s.market_id
    where s.id = ${scopeId} and m.kind <> 'recorded'
      and exists (select from book where scope_id = ${scopeId} and type = ${type})`;
  const newest = row?.newest ?? null;
  if (newest === null) return { books: null, hours: null, index: null };
  return {
    books: daysBefore(newest, retention.pointsDays),
    hours: hoursSince(newest, retention),
    index: daysBefore(newest, indexDays),
  };
}

const daysBefore = (at: Date, days: number): Date => new Date(at.getTime() - days * dayMs);

/** Returns the first hour that is kept completely. */
const hoursSince = (newest: Date, { hoursDays }: Retention): Date => {
  const since = daysBefore(newest, hoursDays);
  return wholeBuckets('1h', { from: since, to: since }).to;
};

/**
 * Drops data that is too old, counted back from a market's newest book: points of books and hours, days of verdict
 * pools and index observations, and days of attributes that repeat the row in force. Recorded markets keep everything.
 * Whole months are dropped as partitions; returns the number of rows dropped from other months. null: another process
 * is doing this.
 */
export async function dropOldPoints(
  sql: Sql,
  retention: Retention,
): Promise<{ months: string[]; rows: number } | null> {
  const db = await sql.reserve('lock');
  try {
    const [row] = await db<{ taken: boolean }[]>`select pg_try_advisory_lock(${lockKey}) as taken`;
    if (row?.taken !== true) return null;
    try {
      return await dropAll(db, retention);
    } finally {
      await db`select pg_advisory_unlock(${lockKey})`;
    }
  } finally {
    db.release();
  }
}

interface Aging {
  marketId: number;
  scopeIds: number[];
  /** Moment of the newest book, or now if that is earlier: a book ahead of the clock must not age the others. */
  at: Date;
}

async function dropAll(db: ReservedSql, retention: Retention): Promise<{ months: string[]; rows: number }> {
  const { pointsDays } = retention;
  const aging = await db<Aging[]>`
    select s.market_id as "marketId", array_agg(s.id) as "scopeIds",
      least(max(b.observed_at), now()) as at
    from scope s join market m on m.id = s.market_id
    cross join lateral (select max(observed_at) as observed_at from book where scope_id = s.id) b
    where m.kind <> 'recorded' and b.observed_at is not null group by 1`;
  const months: string[] = [];
  let rows = 0;
  const expiring = aging.flatMap(({ scopeIds }) => scopeIds);
  // Recorded first, so that no reader takes a deleted point for an empty one.
  for (const { scopeIds, at } of aging) {
    await db`update book set has_points = false where scope_id = any(${scopeIds}::int[])
      and observed_at < ${daysBefore(at, pointsDays)} and has_points`;
    const hours = hoursSince(at, retention);
    await db`update scope set hours_from = ${hours} where id = any(${scopeIds}::int[])
      and coalesce(hours_from < ${hours}, true)`;
  }
  for (const [table, sinceOf] of [
    ['book_point', ({ at }: Aging) => daysBefore(at, pointsDays)],
    ['hour_point', ({ at }: Aging) => hoursSince(at, retention)],
  ] as const) {
    const earliest = Math.min(...aging.map((each) => sinceOf(each).getTime()));
    if (aging.length > 0) months.push(...(await dropMonths(db, table, new Date(earliest), expiring)));
    for (const each of aging) {
      const gone = await db`delete from ${db(table)}
        where cell_id in (select id from point_cell where scope_id = any(${each.scopeIds}::int[]))
          and t < ${sinceOf(each)}`;
      rows += gone.count;
    }
  }
  for (const { scopeIds, at } of aging) {
    const gone = await db`delete from pool_day
      where scope_id = any(${scopeIds}::int[]) and day < ${dayOf(daysBefore(at, poolDays))}`;
    const observed = await db`delete from index_observation
      where scope_id = any(${scopeIds}::int[]) and day < ${dayOf(daysBefore(at, indexDays))}`;
    rows += gone.count + observed.count;
  }
  for (const { marketId, at } of aging) {
    rows += await thinDays(db, marketId, dayOf(daysBefore(at, pointsDays)));
  }
  return { months, rows };
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Deletes the days of attributes before `day` that only repeat the row in force. */
async function thinDays(db: ReservedSql, marketId: number, day: string): Promise<number> {
  await inTransaction(db, async (tx) => {
    // Waits for landings that may treat an older day as complete.
    for (const type of pricingTypes) await lockAttributes(tx, { marketId, type });
    await tx`update market set days_dropped_before = ${day}
      where id = ${marketId} and coalesce(days_dropped_before < ${day}, true)`;
  });
  const gone = await db`delete from listing_attribute a using listing l
    where l.id = a.listing_id and l.market_id = ${marketId} and a.valid_until is null and a.day < ${day}`;
  return gone.count;
}

/** Drops months before a moment that contain only points of these scopes. */
async function dropMonths(
  db: ReservedSql,
  table: PointTable,
  before: Date,
  scopeIds: readonly number[],
): Promise<string[]> {
  const dropped: string[] = [];
  for (const month of await monthsBefore(db, table, before)) {
    const isUsed = async (): Promise<boolean> => {
      const [row] = await db<{ used: boolean }[]>`
        select exists (select from point_cell c where c.scope_id <> all(${[...scopeIds]}::int[])
          and exists (select from ${db(month)} p where p.cell_id = c.id)) as used`;
      return row?.used !== false;
    };
    if (await isUsed()) continue;
    await db`begin`;
    try {
      // Readers come first, because a waiting drop would block everyone after it.
      await db`set local lock_timeout = '2s'`;
      await db`lock table ${db(table)} in access exclusive mode`;
      if (!(await isUsed())) {
        await db`drop table ${db(month)}`;
        dropped.push(month);
      }
      await db`commit`;
    } catch {
      // A reader holds it; the next run will drop it.
      await db`rollback`.catch(() => {});
      return dropped;
    }
  }
  return dropped;
}
