import { lockSeries } from '../../books/landing/locks.sql.ts';
import { vacuumLeftovers } from '../../books/landing/vacuum.sql.ts';
import { defaultRetention, type Retention, retainedSince } from '../../books/old-statistics.sql.ts';
import type { Bucket } from '../../core/bucket.ts';
import { bucketStart } from '../../core/bucket.ts';
import { defaultScope } from '../../core/crawl-scope.ts';
import { utcDayNumber } from '../../core/utc-day.ts';
import type { Db, ReservedSql, Sql } from '../../database/connection.ts';
import { inTransaction } from '../../database/connection.ts';
import { ensureMonths } from '../../database/month-partitions.ts';
import { dropDaysWithoutBooks } from '../index/index-days.sql.ts';
import { rebuildIndex } from '../index/refresh-index.ts';
import { dropPoolDays } from '../verdicts/pool-days.sql.ts';
import { laterPart, makePoints, type PointSeries, type TimeRange } from './refresh-points.sql.ts';

/** Weeks recomputed at once, to bound memory and to update the progress bar. */
const weeksPerStep = 4;
const weekMs = 7 * 86_400_000;

interface SeriesBooks extends PointSeries {
  /** Whether the series is of the default scope, and so has an index. */
  hasIndex: boolean;
  books: number;
  first: Date;
  last: Date;
}

/**
 * Recomputes every derived table from books, listings, attributes, presence and price intervals, within retention. Each
 * step is one transaction, so that readers see old or new points, never none. Returns the number of books.
 */
export async function rebuild(
  sql: Sql,
  onProgress: (done: number, total: number) => void = () => {},
  retention: Retention = defaultRetention,
): Promise<number> {
  await dropPoolDays(sql);
  const series = await seriesOfBooks(sql);
  const total = series.reduce((sum, { books }) => sum + books, 0);
  const db = await sql.reserve('lock');
  let done = 0;
  try {
    // Long computations between two statements of one transaction do not mean a hung program.
    await db`set idle_in_transaction_session_timeout = 0`;
    const hoursFrom = new Map<number, Date | null>();
    for (const one of series) {
      const since = await retainedSince(db, one.scopeId, one.type, retention);
      await countDays(db, one);
      for (const weeks of steps(one)) {
        done += await rebuildWeeks(db, one, weeks, since);
        onProgress(done, total);
      }
      hoursFrom.set(one.scopeId, since.hours);
    }
    // Readers may use them only once they exist.
    for (const [scopeId, hours] of hoursFrom) {
      await db`update scope set hours_from = ${hours}, days_stored = true where id = ${scopeId}`;
    }
  } finally {
    await db`reset idle_in_transaction_session_timeout`.catch(() => {});
    db.release();
  }
  return total;
}

function steps({ first, last }: SeriesBooks): TimeRange[] {
  const ranges: TimeRange[] = [];
  for (let at = bucketStart('1w', first).getTime(); at <= last.getTime(); at += weeksPerStep * weekMs) {
    ranges.push({ from: new Date(at), to: new Date(at + weeksPerStep * weekMs) });
  }
  return ranges;
}

async function rebuildWeeks(
  db: ReservedSql,
  series: SeriesBooks,
  weeks: TimeRange,
  since: Record<'books' | 'hours' | 'index', Date | null>,
): Promise<number> {
  const { scopeId, type } = series;
  const inWeeks = db`scope_id = ${scopeId} and type = ${type} and observed_at >= ${weeks.from} and observed_at < ${weeks.to}`;
  const [row] = await db<{ count: number }[]>`select count(*) from book where ${inWeeks}`;
  const books = row?.count ?? 0;
  if (books === 0) return 0;
  await ensureMonths(db, [weeks.from, middleOf(weeks), weeks.to]);
  await inTransaction(db, async (tx) => {
    // Keeps books from landing in the series meanwhile; they would compute the same points.
    await lockSeries(tx, { scopeId, type });
    const ranges: Record<Bucket, TimeRange | null> = {
      book: laterPart(weeks, since.books),
      '1h': laterPart(weeks, since.hours),
      '1d': weeks,
      '1w': weeks,
    };
    const read = await makePoints(tx, series, weeks, ranges, {
      how: 'changed',
      withListings: series.hasIndex,
    });
    if (series.hasIndex) {
      const range = { first: utcDayNumber(weeks.from), last: utcDayNumber(weeks.to) - 1 };
      await rebuildIndex(tx, series, read, range, since.index === null ? null : utcDayNumber(since.index));
    }
    const kept = ranges.book === null ? tx`false` : tx`(observed_at >= ${ranges.book.from})`;
    await tx`update book set has_points = ${kept} where ${inWeeks} and has_points <> ${kept}`;
  });
  // The next step reuses the space of a step's dead rows; otherwise a year would take space for all of them.
  await vacuumLeftovers(db);
  return books;
}

const middleOf = ({ from, to }: TimeRange): Date => new Date((from.getTime() + to.getTime()) / 2);

async function countDays(db: ReservedSql, { scopeId, type }: PointSeries): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockSeries(tx, { scopeId, type });
    await tx`delete from book_day where scope_id = ${scopeId} and type = ${type}`;
    await tx`
      insert into book_day (scope_id, type, day, books, complete)
      select scope_id, type, (observed_at at time zone 'UTC')::date, count(*),
        count(*) filter (where verdict = 'complete')
      from book where scope_id = ${scopeId} and type = ${type} group by 1, 2, 3`;
    await dropDaysWithoutBooks(tx, { scopeId, type });
  });
}

async function seriesOfBooks(db: Db): Promise<SeriesBooks[]> {
  return await db<SeriesBooks[]>`
    select s.market_id as "marketId", b.scope_id as "scopeId", b.type, count(*)::int as books,
      bool_and(s.name = ${defaultScope.name}) as "hasIndex",
      min(b.observed_at) as first, max(b.observed_at) as last
    from book b join scope s on s.id = b.scope_id group by 1, 2, 3 order by 2, 3`;
}
