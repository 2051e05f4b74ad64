import type { Bucket } from '../../core/bucket.ts';
import { defaultProfile, type TrendMetric, type UsageProfile } from '../../core/metric.ts';
import { isUnfiltered, noFilter, type OfferFilter } from '../../core/offer-filter.ts';
import type { Db } from '../../database/connection.ts';
import { computedPoints } from './computed-points.sql.ts';
import {
  droppedUntil,
  type Segment,
  storedBookPoints,
  storedFrom,
  storedPoints,
} from './stored-points.sql.ts';
import type { SeriesQuery, TrendPoint } from './trend-point.ts';

export interface PointOptions {
  bucket: Bucket;
  metric: TrendMetric;
  profile: UsageProfile;
  filter: OfferFilter;
}

/**
 * Returns points of a series over whole buckets: from stored statistics if they can answer the query, otherwise (never
 * stored, or dropped by retention) from price intervals and presence.
 */
export async function readPoints(db: Db, query: SeriesQuery, options: PointOptions): Promise<TrendPoint[]> {
  const { bucket } = options;
  const segment = storedSegment(query, options);
  if (segment === undefined) return await computedPoints(db, query, options);
  const stored = (range: SeriesQuery): Promise<TrendPoint[]> =>
    bucket === 'book' ? storedBookPoints(db, range, segment) : storedPoints(db, range, bucket, segment);
  const [since, points] = await Promise.all([
    bucket === 'book' ? droppedUntil(db, query) : storedFrom(db, query, bucket),
    stored(query),
  ]);
  if (since === null || since <= query.from) return points;
  const edge = new Date(Math.min(since.getTime(), query.to.getTime()));
  const before = await computedPoints(db, { ...query, to: edge }, options);
  return [...before, ...points.filter(({ t }) => t >= edge)];
}

/** Returns the stored cell that answers the query; undefined: none does. */
function storedSegment({ gpuName }: SeriesQuery, options: PointOptions): Segment | undefined {
  const { bucket, metric, profile, filter } = options;
  if (metric !== 'usdPerGpuHour' || profile.storageGb !== defaultProfile.storageGb) return undefined;
  if (isUnfiltered(filter)) return null;
  const [numGpus, ...moreCounts] = filter.numGpus;
  const [verification, ...moreTiers] = filter.verification;
  const isCell =
    isUnfiltered({ ...filter, numGpus: noFilter.numGpus, verification: noFilter.verification }) &&
    moreCounts.length === 0 &&
    moreTiers.length === 0;
  if (!isCell || numGpus === undefined || verification === undefined) return undefined;
  return gpuName === null || bucket === '1h' ? undefined : { numGpus, verification };
}
