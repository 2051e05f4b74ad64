import { type Bucket, bucketStart, wholeBuckets } from '../../core/bucket.ts';
import type { TrendMetric, UsageProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { OfferFilter } from '../../core/offer-filter.ts';
import { createMismatch } from '../../core/offer-match.ts';
import { metricValue } from '../../core/price.ts';
import type { Sql } from '../../database/connection.ts';
import { readTrends } from '../trends/read-trends.ts';
import type { TrendPoint } from '../trends/trend-point.ts';
import { type BucketBook, readBucketBooks } from './book-rows.sql.ts';
import { type ExplainedRow, explained, type Recomputed } from './explain-prices.ts';
import { createHeldBooks, createWeighted } from './held-books.ts';
import { type HeldRow, readHeldRows } from './held-rows.sql.ts';

/** A bucket's books and listings, and its point recomputed from them. */
export interface BucketExplanation {
  from: Date;
  to: Date;
  books: (BucketBook & { point: TrendPoint | null })[];
  /** A row for each price of a listing, with the number of books that held it. */
  taken: ExplainedRow[];
  rejected: ExplainedRow[];
  /** Prices from the rows, supply from the books' points. */
  recomputed: Recomputed & { books: number };
}

export interface BucketQuestion {
  scopeId: number;
  type: PricingType;
  gpuName: string | null;
  metric: TrendMetric;
  bucket: Exclude<Bucket, 'book'>;
  at: Date;
  filter: OfferFilter;
  profile: UsageProfile;
}

/** Returns the books of the bucket that contains `at`, and the offers that they held. */
export async function explainBucket(sql: Sql, question: BucketQuestion): Promise<BucketExplanation> {
  const { scopeId, type, gpuName, metric, bucket, at, filter, profile } = question;
  const begin = bucketStart(bucket, at);
  const range = wholeBuckets(bucket, { from: begin, to: new Date(begin.getTime() + 1) });
  const series = { scopeId, type, gpuName };
  const [books, { series: trends }, held] = await Promise.all([
    readBucketBooks(sql, series, range),
    readTrends(sql, {
      scopeId,
      metric,
      filter,
      profile,
      bucket: 'book' as const,
      types: [type],
      ...range,
      gpuNames: gpuName === null ? [] : [gpuName],
    }),
    readHeldRows(sql, series, range),
  ]);
  const points = new Map((trends[0]?.points ?? []).map((point) => [point.t.getTime(), point]));
  const each = books.map((book) => ({ ...book, point: points.get(book.observedAt.getTime()) ?? null }));
  const counted = each.flatMap(({ covers, point }) => (covers && point !== null ? [point] : []));
  const covering = books.filter(({ covers }) => covers).map(({ observedAt }) => observedAt.getTime());
  const rows = poolRows(held, covering, question);
  const pool = createWeighted(rows.taken.map(({ value, books: times }) => ({ value: value ?? 0, times })));
  const mean = (read: (point: TrendPoint) => number): number =>
    counted.length === 0 ? 0 : counted.reduce((sum, point) => sum + read(point), 0) / counted.length;
  return {
    ...range,
    books: each,
    ...rows,
    recomputed: {
      books: covering.length,
      observations: pool.count,
      offers: mean(({ offers }) => offers),
      gpus: mean(({ gpus }) => gpus),
      machines: mean(({ machines }) => machines),
      physicalGpus: mean(({ physicalGpus }) => physicalGpus),
      physicalGpusIsLowerBound: counted.some((point) => point.physicalGpusIsLowerBound),
      min: pool.min,
      p10: pool.percentile(0.1),
      p25: pool.percentile(0.25),
      median: pool.percentile(0.5),
      p75: pool.percentile(0.75),
      p90: pool.percentile(0.9),
      max: pool.max,
    },
  };
}

/** Returns the bucket's point as trends show it; null: it has none. */
export async function readBucketPoint(sql: Sql, question: BucketQuestion): Promise<TrendPoint | null> {
  const { scopeId, type, gpuName, metric, bucket, at, filter, profile } = question;
  const { series } = await readTrends(sql, {
    scopeId,
    metric,
    filter,
    profile,
    bucket,
    types: [type],
    gpuNames: gpuName === null ? [] : [gpuName],
    from: at,
    to: new Date(at.getTime() + 1),
  });
  return series[0]?.points[0] ?? null;
}

/** Returns each listing once per value or reason, with the number of covering books that held it. */
function poolRows(
  held: readonly HeldRow[],
  covering: readonly number[],
  { metric, filter, profile }: Pick<BucketQuestion, 'metric' | 'filter' | 'profile'>,
): Pick<BucketExplanation, 'taken' | 'rejected'> {
  const mismatch = createMismatch(filter, profile.storageGb);
  const booksOf = createHeldBooks(covering);
  const pooled = new Map<string, ExplainedRow>();
  for (const row of held) {
    const { first, end } = booksOf(row);
    if (end === first) continue;
    const unmet = mismatch(row);
    const figure = metricValue(row, metric, profile);
    const value = unmet === null && 'value' in figure ? figure.value : null;
    const reason = unmet !== null ? `filter ${unmet}` : 'missing' in figure ? figure.missing : null;
    const key = `${row.listingId} ${value ?? reason}`;
    const known = pooled.get(key);
    if (known === undefined) pooled.set(key, explained(row, value, reason, end - first));
    else known.books += end - first;
  }
  const rows = [...pooled.values()];
  return {
    taken: rows
      .filter(({ rejected }) => rejected === null)
      .sort((a, b) => (a.value ?? 0) - (b.value ?? 0) || a.listingId - b.listingId),
    rejected: rows.filter(({ rejected }) => rejected !== null),
  };
}
