import type { Sql } from '../db/connection.ts';
import { bookCoverage, type Coverage } from '../db/trends/coverage.ts';
import { readPoints } from '../db/trends/read-points.ts';
import type { TrendPoint } from '../db/trends/trend-point.ts';
import { type Bucket, chooseBucket, wholeBuckets } from '../domain/bucket.ts';
import type { TrendMetric, UsageProfile } from '../domain/metric.ts';
import type { PricingType } from '../domain/offer.ts';
import type { OfferFilter } from '../domain/offer-filter.ts';

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
  /** The model, `*` for all; `<type>|<model>` where several models or types were asked for. */
  key: string;
  points: TrendPoint[];
}

export interface TrendAnswer {
  bucket: Bucket;
  series: TrendSeries[];
  /** Over the types asked for; of one model, or of the whole market where several or all were asked for. */
  coverage: Pick<Coverage, 'books' | 'complete' | 'partial' | 'failed'>;
}

/**
 * Trends by model and type. Buckets that the range touches are answered whole, so that a point says the same
 * whatever range it is part of. Source: semantics.md, Statistics; design.md section 4.
 */
export async function readTrends(sql: Sql, request: TrendRequest): Promise<TrendAnswer> {
  const { scopeId, types } = request;
  const models: (string | null)[] = request.gpuNames.length === 0 ? [null] : [...request.gpuNames];
  const plural = models.length > 1 || types.length > 1;
  const pairs = types.flatMap((type) => models.map((gpuName) => ({ type, gpuName })));
  const keyOf = ({ type, gpuName }: { type: PricingType; gpuName: string | null }) =>
    plural ? `${type}|${gpuName ?? '*'}` : (gpuName ?? '*');
  if (scopeId === null) {
    const bucket = request.bucket === 'auto' ? 'book' : request.bucket;
    return { bucket, series: pairs.map((pair) => ({ key: keyOf(pair), points: [] })), coverage: noBooks };
  }
  const coverageModel = models.length === 1 ? (models[0] ?? null) : null;
  const coverageIn = async (range: { from: Date; to: Date }): Promise<Coverage> => {
    const each = types.map((type) => bookCoverage(sql, { scopeId, type, gpuName: coverageModel, ...range }));
    return (await Promise.all(each)).reduce(merge);
  };
  const asked = { from: request.from, to: request.to };
  const askedCoverage = await coverageIn(asked);
  const bucket =
    request.bucket === 'auto'
      ? chooseBucket({ ...askedCoverage, books: Math.ceil(askedCoverage.complete / types.length) })
      : request.bucket;
  const range = wholeBuckets(bucket, asked);
  const { books, complete, partial, failed } = bucket === 'book' ? askedCoverage : await coverageIn(range);
  const series = await Promise.all(
    pairs.map(async (pair) => {
      const points = await readPoints(sql, { scopeId, ...pair, ...range }, { ...request, bucket });
      return { key: keyOf(pair), points };
    }),
  );
  return { bucket, series, coverage: { books, complete, partial, failed } };
}

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
