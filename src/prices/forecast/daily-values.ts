import { defaultMetric, defaultProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import { noFilter } from '../../core/offer-filter.ts';
import type { Db } from '../../database/connection.ts';
import { readIndex } from '../index/read-index.ts';
import { readPoints } from '../trends/read-points.sql.ts';

/** A value of one UTC day; days without one are missing. */
export interface DailyValue {
  /** Number of the UTC day since 1970. */
  day: number;
  /** Above 0. */
  value: number;
}

interface DailyQuery {
  marketId: number;
  scopeId: number;
  type: PricingType;
  /** null: all models. */
  gpuName: string | null;
  /** Midnight UTC; later days are left out. */
  before: Date;
}

/** Reads the days of a series, oldest first, from its last restart if it has any. */
export type DailyReader = (db: Db, query: DailyQuery) => Promise<DailyValue[]>;

/** Earlier than any book. */
const earliest = new Date('2015-01-01T00:00:00Z');
const dayMs = 86_400_000;

/** Returns the median price per GPU of each UTC day that has one, from daily statistics. */
export const readDailyMedians: DailyReader = async (db, { scopeId, type, gpuName, before }) => {
  const points = await readPoints(
    db,
    { scopeId, type, gpuName, from: earliest, to: before },
    { bucket: '1d', metric: defaultMetric, profile: defaultProfile, filter: noFilter },
  );
  return points.flatMap(({ t, median }) =>
    median === null || median <= 0 ? [] : [{ day: t.getTime() / dayMs, value: median }],
  );
};

/** Returns the like-for-like index of each UTC day since its last restart; empty for all models together. */
export const readDailyIndex: DailyReader = async (db, { scopeId, type, gpuName, before }) => {
  if (gpuName === null) return [];
  const { points } = await readIndex(db, { scopeId, type, gpuName, from: earliest, to: before }, before);
  const start = points.findLastIndex(({ restarted }) => restarted);
  return points.slice(Math.max(0, start)).map(({ t, index }) => ({ day: t.getTime() / dayMs, value: index }));
};
