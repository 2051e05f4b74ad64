import { defaultProfile } from '../../core/metric.ts';
import { noFilter } from '../../core/offer-filter.ts';
import type { Sql } from '../../database/connection.ts';
import { readTrends } from '../../prices/trends/read-trends.ts';
import { outlierDays } from '../../prices/verdicts/segment-medians.ts';
import { type HoursOfModel, readLowestHours } from './lowest-hours.ts';

/** Market prices per GPU in an hour; null: unknown. */
export interface HourPrices {
  median: number | null;
  min: number | null;
  /** The lowest that is no outlier; the minimum if all are. */
  lowest: number | null;
}

/** Hours that are further apart are read apart: what lies between costs more than the days that both need. */
const maxGapMs = outlierDays * 86_400_000;

/** Reads market prices by the beginning of the hour, milliseconds. */
export async function readMarketHours(sql: Sql, request: HoursOfModel): Promise<Map<number, HourPrices>> {
  const prices = new Map<number, HourPrices>();
  for (const times of stretchesOf(request.times))
    for (const [at, price] of await readStretch(sql, { ...request, times })) prices.set(at, price);
  return prices;
}

/** Returns moments in order, apart where more than `maxGapMs` lies between them. */
function stretchesOf(times: readonly number[]): number[][] {
  const stretches: number[][] = [];
  for (const at of [...times].sort((a, b) => a - b)) {
    const last = stretches.at(-1);
    if (last === undefined || at - (last.at(-1) ?? at) > maxGapMs) stretches.push([at]);
    else last.push(at);
  }
  return stretches;
}

async function readStretch(sql: Sql, request: HoursOfModel): Promise<Map<number, HourPrices>> {
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
