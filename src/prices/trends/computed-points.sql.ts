import type { Bucket } from '../../core/bucket.ts';
import type { TrendMetric, UsageProfile } from '../../core/metric.ts';
import type { OfferFilter } from '../../core/offer-filter.ts';
import type { Db } from '../../database/connection.ts';
import { readBookMoments } from '../spans/book-moments.sql.ts';
import { readSpans } from '../spans/read-spans.sql.ts';
import { bucketsOf, bucketsOfBooks } from '../statistics/book-axis.ts';
import { roundStatistic } from '../statistics/point-row.ts';
import { prepareCell } from '../statistics/pooled-points.ts';
import { pickAll } from '../statistics/span-columns.ts';
import { type SeriesQuery, type TrendPoint, toTrendPoint } from './trend-point.ts';

/**
 * Returns points of any bucket, metric and filter, computed from price intervals and presence. Percentiles of buckets
 * larger than a book have nine significant digits. Source: docs/meaning.md#buckets.
 */
export async function computedPoints(
  db: Db,
  query: SeriesQuery,
  options: { bucket: Bucket; metric: TrendMetric; profile: UsageProfile; filter: OfferFilter },
): Promise<TrendPoint[]> {
  const { bucket, ...wanted } = options;
  const { scopeId, type, gpuName } = query;
  const [owner] = await db<{ marketId: number; gpuModelId: number | null }[]>`
    select market_id as "marketId", (select id from gpu_model where name = ${gpuName}) as "gpuModelId"
    from scope where id = ${scopeId}`;
  if (owner === undefined || (gpuName !== null && owner.gpuModelId === null)) return [];
  const books = await readBookMoments(db, query);
  const gpuModelIds = owner.gpuModelId === null ? null : [owner.gpuModelId];
  const spans = await readSpans(
    db,
    { marketId: owner.marketId, scopeId, type, gpuModelIds, ...wanted },
    books,
  );
  const { ranges, times } = bucketsOfBooks(books.times, bucket);
  const points = prepareCell(spans, pickAll(spans)).points(
    bucketsOf(ranges, books.times.length),
    books.coverOf(owner.gpuModelId),
  );
  return points.map((point) => {
    const trend = toTrendPoint(times[point.bucket] ?? new Date(Number.NaN), point);
    return bucket === 'book' ? trend : withNineDigits(trend);
  });
}

function withNineDigits(point: TrendPoint): TrendPoint {
  const round = (value: number | null) => (value === null ? null : roundStatistic(value));
  const { p10, p25, median, p75, p90 } = point;
  return {
    ...point,
    p10: round(p10),
    p25: round(p25),
    median: round(median),
    p75: round(p75),
    p90: round(p90),
  };
}
