import { type Bucket, bucketsWithin, chooseBucket, countBuckets, wholeBuckets } from '../../core/bucket.ts';
import type { TrendMetric, UsageProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { OfferFilter } from '../../core/offer-filter.ts';
import type { Sql } from '../../database/connection.ts';
import { bookCoverage, type Coverage } from './coverage.sql.ts';
import { readPoints } from './read-points.sql.ts';
import type { TrendPoint } from './trend-point.ts';
import { readUnionSupply, type SupplySeries } from './union-supply.sql.ts';

export interface TrendRequest {
  /** null: the market was never recorded; every series is empty. */
  scopeId: number | null;
  types: readonly PricingType[];
  /** Empty: one series over all models. */
  gpuNames: readonly string[];
  bucket: Bucket | 'auto';
  metric: TrendMetric;
  profile: UsageProfile;
  filter: OfferFilter;
  from: Date;
  to: Date;
}

export interface TrendSeries {
  type: PricingType;
  /** null: all models. */
  gpuName: string | null;
  points: TrendPoint[];
}

export interface TrendAnswer {
  bucket: Bucket;
  series: TrendSeries[];
  coverage: TrendCoverage;
}

/** Over the requested types; for one model, or the whole market if several or all were requested. */
export type TrendCoverage = Pick<Coverage, 'books' | 'complete' | 'partial' | 'failed'>;

/** The plan of a response, known before any of its points is read. */
export interface TrendPlan {
  bucket: Bucket;
  /** The range widened to whole buckets. */
  range: { from: Date; to: Date };
  /** Counts the books, unless already counted. */
  coverage: () => Promise<TrendCoverage>;
  /** Maximum number of points in a response. */
  maxPoints: number;
}

/** Up to this many points no request is refused, so they are read while their books are still being counted. */
const fewPoints = 10_000;

/** Plans a response: its bucket, and the books of the buckets that its range touches. */
export async function planTrends(sql: Sql, request: TrendRequest): Promise<TrendPlan> {
  const { scopeId, types, gpuNames } = request;
  const asked = { from: request.from, to: request.to };
  if (scopeId === null) {
    const bucket = request.bucket === 'auto' ? 'book' : request.bucket;
    const range = wholeBuckets(bucket, asked);
    return { bucket, range, coverage: async () => noBooks, maxPoints: 0 };
  }
  const gpuName = gpuNames.length === 1 ? (gpuNames[0] ?? null) : null;
  const coverageIn = async (range: { from: Date; to: Date }): Promise<Coverage> => {
    const each = types.map((type) => bookCoverage(sql, { scopeId, type, gpuName, ...range }));
    return (await Promise.all(each)).reduce(merge);
  };
  const chosen = async (): Promise<Bucket> => {
    const coverage = await coverageIn(asked);
    return chooseBucket({ ...coverage, books: Math.ceil(coverage.complete / types.length) });
  };
  const bucket = request.bucket === 'auto' ? await chosen() : request.bucket;
  const range = wholeBuckets(bucket, asked);
  const models = Math.max(1, gpuNames.length);
  if (bucket !== 'book') {
    const maxPoints = types.length * countBuckets(bucket, range) * models;
    const coverage = async (): Promise<TrendCoverage> => countsOf(await coverageIn(range));
    if (maxPoints <= fewPoints) return { bucket, range, coverage, maxPoints };
  }
  const whole = await coverageIn(range);
  const maxPoints = Math.min(whole.complete, types.length * bucketsWithin(bucket, whole)) * models;
  return { bucket, range, coverage: async () => countsOf(whole), maxPoints };
}

/**
 * Returns trends by model and type. Buckets that the range touches are complete, so that a point is the same in every
 * range. Source: docs/meaning.md#buckets.
 */
export async function readTrends(
  sql: Sql,
  request: TrendRequest,
  plan?: TrendPlan | undefined,
): Promise<TrendAnswer> {
  const { scopeId, types } = request;
  const models: (string | null)[] = request.gpuNames.length === 0 ? [null] : [...request.gpuNames];
  const pairs = types.flatMap((type) => models.map((gpuName) => ({ type, gpuName })));
  const { bucket, range, coverage } = plan ?? (await planTrends(sql, request));
  const read = pairs.map(async ({ type, gpuName }) => ({
    type,
    gpuName,
    points:
      scopeId === null
        ? []
        : await readPoints(sql, { scopeId, type, gpuName, ...range }, { ...request, bucket }),
  }));
  const [series, counted] = await Promise.all([Promise.all(read), coverage()]);
  return { bucket, series, coverage: counted };
}

/**
 * Returns the combined supply of the requested types by model; a machine and its GPUs count once whichever type lists
 * them. Empty for one type, whose series already has it. Source: docs/decisions/0023-supply-over-types.md.
 */
export async function readSupply(
  sql: Sql,
  request: TrendRequest,
  { bucket, range }: TrendPlan,
): Promise<SupplySeries[]> {
  const { scopeId, types, gpuNames, filter, profile } = request;
  if (scopeId === null || types.length < 2) return [];
  return await readUnionSupply(sql, { scopeId, types, gpuNames, bucket, filter, profile, ...range });
}

const countsOf = ({ books, complete, partial, failed }: Coverage): TrendCoverage => ({
  books,
  complete,
  partial,
  failed,
});

const noBooks = { books: 0, complete: 0, partial: 0, failed: 0 };

function merge(a: Coverage, b: Coverage): Coverage {
  const moments = (pick: 'first' | 'last') =>
    [a[pick], b[pick]].filter((at) => at !== null).map((at) => at.getTime());
  const firsts = moments('first');
  const lasts = moments('last');
  return {
    books: a.books + b.books,
    complete: a.complete + b.complete,
    partial: a.partial + b.partial,
    failed: a.failed + b.failed,
    first: firsts.length === 0 ? null : new Date(Math.min(...firsts)),
    last: lasts.length === 0 ? null : new Date(Math.max(...lasts)),
  };
}
