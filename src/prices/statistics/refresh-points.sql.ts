import type { MovedBook } from '../../books/landing/book-statistics.ts';
import { type Bucket, bucketStart, wholeBuckets } from '../../core/bucket.ts';
import { defaultScope } from '../../core/crawl-scope.ts';
import { defaultProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import { utcDayNumber } from '../../core/utc-day.ts';
import type { ReservedSql } from '../../database/connection.ts';
import { ensureMonths, type PointTable } from '../../database/month-partitions.ts';
import { type ModelDays, refreshWindows, type SpansOfBooks, storeDays } from '../index/refresh-index.ts';
import { type BookMoments, readBookMoments } from '../spans/book-moments.sql.ts';
import { readSpans } from '../spans/read-spans.sql.ts';
import { bucketsOf, bucketsOfBooks } from './book-axis.ts';
import { computeRows, type Grid } from './cells.sql.ts';
import { addPoints, writePoints } from './write-points.sql.ts';

export interface PointSeries {
  marketId: number;
  scopeId: number;
  type: PricingType;
}

const tables: readonly [Bucket, PointTable][] = [
  ['book', 'book_point'],
  ['1h', 'hour_point'],
  ['1d', 'day_point'],
  ['1w', 'week_point'],
];

/** Creates the monthly partitions for points of books at these moments, outside a landing's transaction. */
export async function preparePoints(db: ReservedSql, moments: readonly Date[]): Promise<void> {
  await ensureMonths(
    db,
    moments.flatMap((at) => [at, bucketStart('1w', at)]),
  );
}

/**
 * Recomputes the points of some books and of the hours, days and weeks that hold them, each week once however many of
 * its books changed. For the default scope also recomputes the index of days whose window includes them.
 */
export async function refreshPoints(
  tx: ReservedSql,
  series: PointSeries,
  moved: readonly MovedBook[],
): Promise<void> {
  const days = Map.groupBy(moved, ({ at }) => bucketStart('1d', at).getTime());
  for (const [book] of days.values()) if (book !== undefined) await countDay(tx, series, dayOf(book.at));
  const covering = moved.filter(({ countsOnly }) => !countsOnly);
  if (covering.length === 0) return;
  const [scope] = await tx<{ hoursFrom: Date | null; hasIndex: boolean }[]>`
    select hours_from as "hoursFrom", name = ${defaultScope.name} as "hasIndex" from scope where id = ${series.scopeId}`;
  const hasIndex = scope?.hasIndex === true;
  const changed: ModelDays = new Map();
  for (const books of Map.groupBy(covering, ({ at }) => bucketStart('1w', at).getTime()).values()) {
    const range = rangeOf(books.map(({ at }) => at));
    const ofDays = wholeBuckets('1d', range);
    const near = books.some(({ wholeDay }) => wholeDay) ? ofDays : range;
    const week = wholeBuckets('1w', range);
    const ranges: Record<Bucket, TimeRange | null> = {
      book: near,
      '1h': laterPart(wholeBuckets('1h', near), scope?.hoursFrom ?? null),
      '1d': ofDays,
      '1w': week,
    };
    const areNewest = books.every(({ isNewest }) => isNewest);
    const read = await makePoints(tx, series, week, ranges, {
      how: areNewest ? 'added' : 'changed',
      withListings: hasIndex,
    });
    if (hasIndex)
      await storeDays(tx, series, read, [...new Set(books.map(({ at }) => utcDayNumber(at)))], changed);
  }
  await refreshWindows(tx, series, changed);
}

const dayOf = (at: Date): TimeRange => wholeBuckets('1d', rangeOf([at]));

/** Returns the range from the first moment to just after the last. */
function rangeOf(moments: readonly Date[]): TimeRange {
  const times = moments.map((at) => at.getTime());
  return { from: new Date(Math.min(...times)), to: new Date(Math.max(...times) + 1) };
}

export interface TimeRange {
  from: Date;
  to: Date;
}

/** Returns the part of a range from a moment on; null: none. */
export function laterPart(range: TimeRange, since: Date | null): TimeRange | null {
  if (since === null || since <= range.from) return range;
  return since >= range.to ? null : { from: since, to: range.to };
}

/** Computes points of whole weeks, per bucket size within its range (null: none). Returns their input. */
export async function makePoints(
  tx: ReservedSql,
  series: PointSeries,
  weeks: TimeRange,
  ranges: Record<Bucket, TimeRange | null>,
  { how, withListings }: { how: 'added' | 'changed'; withListings: boolean },
): Promise<SpansOfBooks> {
  const { scopeId, type } = series;
  const books = await readBookMoments(tx, { scopeId, type, ...weeks });
  // For a whole market, combining the results of parallel workers takes longer than gathering them in one process.
  await tx`set local max_parallel_workers_per_gather = 0`;
  const spans = await readSpans(
    tx,
    { ...series, gpuModelIds: null, metric: 'usdPerGpuHour', profile: defaultProfile, withListings },
    books,
  );
  const wanted = tables.flatMap(([bucket, table]) => {
    const range = ranges[bucket];
    return range === null ? [] : [{ table, range, grid: gridOf(books, bucket, range) }];
  });
  const rows = computeRows(
    spans,
    books,
    wanted.map(({ grid }) => grid),
  );
  if (how === 'added') {
    const parts = wanted.map(({ table }, index) => ({ table, rows: rows[index] ?? [] }));
    await addPoints(tx, series, parts);
    return { spans, books };
  }
  for (const [index, { table, range }] of wanted.entries()) {
    await writePoints(tx, table, series, range, rows[index] ?? []);
  }
  return { spans, books };
}

function gridOf(books: BookMoments, bucket: Bucket, within: TimeRange): Grid {
  const { ranges, times } = bucketsOfBooks(books.times, bucket, within);
  return {
    buckets: bucketsOf(ranges, books.times.length),
    times,
    withSegments: bucket !== '1h',
    isBook: bucket === 'book',
  };
}

/** Recounts the books of a day. */
async function countDay(tx: ReservedSql, { scopeId, type }: PointSeries, day: TimeRange): Promise<void> {
  await tx`
    insert into book_day as d (scope_id, type, day, books, complete)
    select ${scopeId}, ${type}, ${day.from.toISOString().slice(0, 10)}::date, count(*),
      count(*) filter (where verdict = 'complete')
    from book where scope_id = ${scopeId} and type = ${type} and observed_at >= ${day.from}
      and observed_at < ${day.to}
    on conflict (scope_id, type, day) do update set books = excluded.books, complete = excluded.complete`;
}
