import type { Bucket } from '../../domain/bucket.ts';
import { defaultProfile, type TrendMetric, type UsageProfile } from '../../domain/metric.ts';
import { isUnfiltered, noFilter, type OfferFilter } from '../../domain/offer-filter.ts';
import type { Db } from '../connection.ts';
import { computedPoints } from './computed-points.ts';
import { droppedUntil, oldestHour, type Segment, storedBookPoints, storedPoints } from './stored-points.ts';
import type { SeriesQuery, TrendPoint } from './trend-point.ts';

export interface PointOptions {
  bucket: Bucket;
  metric: TrendMetric;
  profile: UsageProfile;
  filter: OfferFilter;
}

/**
 * Points of a series over whole buckets: from the stored statistics where these answer the question, otherwise, and
 * for what retention has dropped, from runs and presence.
 */
export async function readPoints(db: Db, query: SeriesQuery, options: PointOptions): Promise<TrendPoint[]> {
  const { bucket } = options;
  const segment = storedSegment(query, options);
  if (segment === undefined) return await computedPoints(db, query, options);
  if (bucket === '1d' || bucket === '1w') return await storedPoints(db, query, bucket, segment);
  const since = bucket === 'book' ? await droppedUntil(db, query) : await oldestHour(db, query);
  const stored = (range: SeriesQuery): Promise<TrendPoint[]> =>
    bucket === 'book' ? storedBookPoints(db, range, segment) : storedPoints(db, range, bucket, segment);
  if (since === null || since <= query.from) return await stored(query);
  const edge = new Date(Math.min(since.getTime(), query.to.getTime()));
  const [before, after] = await Promise.all([
    computedPoints(db, { ...query, to: edge }, options),
    stored({ ...query, from: edge }),
  ]);
  return [...before, ...after];
}

/** The cell of the rollups that answers the question; undefined: none does. */
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
