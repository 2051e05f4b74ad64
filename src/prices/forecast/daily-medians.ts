import { defaultMetric, defaultProfile } from '../../core/metric.ts';
import { noFilter } from '../../core/offer-filter.ts';
import type { Db } from '../../database/connection.ts';
import { readPoints } from '../trends/read-points.sql.ts';
import type { DailyQuery, DailyValue } from './daily-values.ts';

/** Earlier than any book. */
const earliest = new Date('2015-01-01T00:00:00Z');
const dayMs = 86_400_000;

/** Returns the median price per GPU of each UTC day that has one, from daily statistics. */
export async function readDailyMedians(
  db: Db,
  { scopeId, type, gpuName, before }: DailyQuery,
): Promise<DailyValue[]> {
  const points = await readPoints(
    db,
    { scopeId, type, gpuName, from: earliest, to: before },
    { bucket: '1d', metric: defaultMetric, profile: defaultProfile, filter: noFilter },
  );
  return points.flatMap(({ t, median }) =>
    median === null || median <= 0 ? [] : [{ day: t.getTime() / dayMs, value: median }],
  );
}
