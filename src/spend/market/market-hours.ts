import { defaultProfile } from '../../core/metric.ts';
import { noFilter } from '../../core/offer-filter.ts';
import type { Sql } from '../../database/connection.ts';
import { readTrends } from '../../prices/trends/read-trends.ts';
import { type HoursOfModel, readLowestHours } from './lowest-hours.ts';

/** Market prices per GPU in an hour; null: unknown. */
export interface HourPrices {
  median: number | null;
  min: number | null;
  /** The lowest that is no outlier; the minimum if all are. */
  lowest: number | null;
}

/** Reads market prices by the beginning of the hour, milliseconds. */
export async function readMarketHours(sql: Sql, request: HoursOfModel): Promise<Map<number, HourPrices>> {
  const { scopeId, type, gpuName, storageGb, times } = request;
  const [{ series }, lowest] = await Promise.all([
    readTrends(sql, {
      scopeId,
      types: [type],
      gpuNames: [gpuName],
      bucket: '1h',
      metric: 'usdPerGpuHour',
      filter: noFilter,
      profile: { ...defaultProfile, storageGb },
      from: new Date(times.reduce((a, b) => Math.min(a, b))),
      to: new Date(times.reduce((a, b) => Math.max(a, b)) + 3_600_000),
    }),
    readLowestHours(sql, request),
  ]);
  const points = series[0]?.points ?? [];
  return new Map(
    points.map(({ t, median, min }) => {
      const at = t.getTime();
      return [at, { median, min, lowest: lowestOr(lowest.get(at), min) }];
    }),
  );
}

/** Returns the lowest price that is no outlier with 9 significant digits, or the minimum without one. */
export const lowestOr = (lowest: number | null | undefined, min: number | null): number | null =>
  lowest === null || lowest === undefined ? min : Number(lowest.toPrecision(9));
