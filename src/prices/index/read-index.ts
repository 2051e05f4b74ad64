import { defaultProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import { noFilter } from '../../core/offer-filter.ts';
import { utcDayNumber } from '../../core/utc-day.ts';
import type { Db } from '../../database/connection.ts';
import { readPoints } from '../trends/read-points.sql.ts';
import { describeChanges, errorPercentOf, type PriceChange, percentOf } from './index-change.ts';
import { readIndexDays, type StoredIndexDay } from './index-days.sql.ts';
import { windowDays } from './index-window.ts';

/** The index of a UTC day. */
export interface IndexPoint {
  /** The day's start. */
  t: Date;
  /** 100 on the first day and where it restarts; 9 significant digits. */
  index: number;
  /** Since the last day that can be compared with; null: the index restarts. */
  movementPercent: number | null;
  /** null: fewer than 3 hosts. */
  stderrPercent: number | null;
  /** Listings seen on two days or more of the window, and all listing-days, that the level rests on. */
  listings: number;
  observations: number;
  restarted: boolean;
  /** The day is not over. */
  open: boolean;
}

export interface IndexQuery {
  scopeId: number;
  type: PricingType;
  gpuName: string;
  from: Date;
  to: Date;
}

const dayMs = 86_400_000;

/** The index of a model over the days that a range touches, and the changes up to the last of them that it has. */
export async function readIndex(
  db: Db,
  query: IndexQuery,
  now: Date,
): Promise<{ points: IndexPoint[]; changes: PriceChange[] }> {
  const first = utcDayNumber(query.from);
  const last = Math.ceil(query.to.getTime() / dayMs) - 1;
  const days = await readIndexDays(db, query, query.gpuName, last);
  const levels = chainLevels(days);
  const points = days
    .filter(({ day }) => day >= first)
    .map((own): IndexPoint => {
      const { level, restarted } = levels.get(own.day) ?? { level: Number.NaN, restarted: true };
      const movement = restarted ? null : own.movement;
      return {
        t: new Date(own.day * dayMs),
        index: Number(level.toPrecision(9)),
        movementPercent: movement === null ? null : percentOf(movement),
        stderrPercent: movement === null ? null : errorPercentOf(movement),
        listings: own.listings,
        observations: own.observations,
        restarted,
        open: (own.day + 1) * dayMs > now.getTime(),
      };
    });
  const newest = points.length === 0 ? undefined : days.at(-1);
  if (newest === undefined) return { points, changes: describeChanges(null, () => null) };
  const medians = await readMedians(db, query, newest.day);
  return { points, changes: describeChanges(newest, (before) => medians.get(newest.day - before) ?? null) };
}

/** The level of each day from those before it; a day that is compared with none that is stored restarts. */
function chainLevels(days: readonly StoredIndexDay[]): Map<number, { level: number; restarted: boolean }> {
  const levels = new Map<number, { level: number; restarted: boolean }>();
  for (const { day, movement } of days) {
    const before = movement === null ? undefined : levels.get(day - movement.daysBefore);
    const isLinked = movement !== null && before !== undefined;
    levels.set(
      day,
      isLinked
        ? { level: before.level * Math.exp(movement.change), restarted: false }
        : { level: 100, restarted: true },
    );
  }
  return levels;
}

/** The medians of the days of a window, and of the day before it, that a change may be compared with. */
async function readMedians(db: Db, query: IndexQuery, day: number): Promise<Map<number, number | null>> {
  const points = await readPoints(
    db,
    { ...query, from: new Date((day - windowDays) * dayMs), to: new Date((day + 1) * dayMs) },
    { bucket: '1d', metric: 'usdPerGpuHour', profile: defaultProfile, filter: noFilter },
  );
  return new Map(points.map(({ t, median }) => [t.getTime() / dayMs, median]));
}
