import type { PricingType } from '../../core/offer.ts';
import type { PooledPoint } from '../statistics/pooled-points.ts';

export interface TrendPoint {
  /** Start of the bucket, or the book's moment. */
  t: Date;
  /** Complete books in the bucket. */
  books: number;
  /** Prices pooled: each offer once per book that held it. */
  observations: number;
  /** Means per complete book. */
  offers: number;
  gpus: number;
  machines: number;
  physicalGpus: number;
  /** true: some machine lists no GPU ids, so its largest offer was counted. */
  physicalGpusIsLowerBound: boolean;
  /** null: no offer of the bucket has this metric. */
  min: number | null;
  p10: number | null;
  p25: number | null;
  median: number | null;
  p75: number | null;
  p90: number | null;
  max: number | null;
}

export interface SeriesQuery {
  scopeId: number;
  type: PricingType;
  /** null: all models. */
  gpuName: string | null;
  from: Date;
  to: Date;
}

/** Converts sums over a bucket's complete books to means. */
export function toTrendPoint(t: Date, point: Omit<PooledPoint, 'bucket'>): TrendPoint {
  const { books, observations, min, max, percentiles } = point;
  const [p10 = null, p25 = null, median = null, p75 = null, p90 = null] = percentiles ?? [];
  return {
    t,
    books,
    observations,
    offers: point.offers / books,
    gpus: point.gpus / books,
    machines: point.machines / books,
    physicalGpus: point.physicalGpus / books,
    physicalGpusIsLowerBound: point.physicalGpusIsLowerBound,
    min,
    p10,
    p25,
    median,
    p75,
    p90,
    max,
  };
}

/** Returns the point of a bucket whose complete books held no matching offer. */
export const emptyPoint = (t: Date, books: number): TrendPoint =>
  toTrendPoint(t, {
    books,
    observations: 0,
    offers: 0,
    gpus: 0,
    machines: 0,
    physicalGpus: 0,
    physicalGpusIsLowerBound: false,
    min: null,
    max: null,
    percentiles: null,
  });
