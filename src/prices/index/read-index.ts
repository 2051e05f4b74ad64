import { defaultProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import { noFilter } from '../../core/offer-filter.ts';
import { utcDayNumber } from '../../core/utc-day.ts';
import type { Db } from '../../database/connection.ts';
import { readPoints } from '../trends/read-points.sql.ts';
import { type ChainedDay, chainLevels } from './chain-levels.ts';
import { describeChanges, errorPercentOf, type PriceChange, percentOf } from './index-change.ts';
import { lacksIndex, readIndexDays, readInfluences, type StoredIndexDay } from './index-days.sql.ts';
import { windowDays } from './index-window.ts';
import { type IndexLine, rebaseIndex } from './rebase-index.ts';

/** The index of a UTC day. */
export interface IndexPoint {
  /** The day's start. */
  t: Date;
  /** 100 on the first day and after each restart; 9 significant digits. */
  index: number;
  /** Change since the last comparable day; null: the index restarts. */
  movementPercent: number | null;
  /** null: fewer than 3 hosts. */
  stderrPercent: number | null;
  /** Listings seen on two or more days of the window, and all listing-days, that determine the level. */
  listings: number;
  observations: number;
  restarted: boolean;
  /** Whether the day is not over yet. */
  open: boolean;
  /** If requested: the level relative to a day that all series have, and two standard errors around it. */
  rebased?: number;
  /** null: the error is unknown. */
  rebasedLow?: number | null;
  rebasedHigh?: number | null;
}

/** The index of a model and, in the same order, what its points are derived from. */
interface FoundIndex {
  points: IndexPoint[];
  changes: PriceChange[];
  chain: ChainedDay[];
}

export interface IndexQuery {
  scopeId: number;
  type: PricingType;
  gpuName: string;
  from: Date;
  to: Date;
}

const dayMs = 86_400_000;

/** Reads the index of a model over the days that a range touches, and the changes up to the last of them. */
export async function readIndex(db: Db, query: IndexQuery, now: Date): Promise<FoundIndex> {
  const first = utcDayNumber(query.from);
  const last = Math.ceil(query.to.getTime() / dayMs) - 1;
  const days = await readIndexDays(db, query, query.gpuName, last);
  const levels = chainLevels(days);
  const shown = days.filter(({ day }) => day >= first);
  const chain = shown.map(({ day }) => levels.get(day) as ChainedDay);
  const points = shown.map((own, at) => describePoint(own, chain[at] as ChainedDay, now));
  const newest = shown.at(-1);
  if (newest === undefined) {
    const lacks = days.length === 0 && (await lacksIndex(db, query));
    return { points, chain, changes: describeChanges(null, () => null, lacks) };
  }
  const medians = await readMedians(db, query, newest.day);
  const changes = describeChanges(newest, (before) => medians.get(newest.day - before) ?? null);
  return { points, chain, changes };
}

function describePoint(own: StoredIndexDay, { level, previous }: ChainedDay, now: Date): IndexPoint {
  const movement = previous === null ? null : own.movement;
  return {
    t: new Date(own.day * dayMs),
    index: Number(level.toPrecision(9)),
    movementPercent: movement === null ? null : percentOf(movement),
    stderrPercent: movement === null ? null : errorPercentOf(movement),
    listings: own.listings,
    observations: own.observations,
    restarted: previous === null,
    open: (own.day + 1) * dayMs > now.getTime(),
  };
}

/** Adds levels relative to the first day that all series have to their points; returns that day, or null. */
export async function addRebased(
  db: Db,
  series: readonly { query: IndexQuery; found: FoundIndex }[],
): Promise<Date | null> {
  const lines = await Promise.all(
    series.map(async ({ query, found: { chain } }): Promise<IndexLine> => {
      const range = { first: chain[0]?.day ?? 0, last: chain.at(-1)?.day ?? 0 };
      return { days: chain, influences: await readInfluences(db, query, query.gpuName, range) };
    }),
  );
  const { baseDay, lines: rebased } = rebaseIndex(lines);
  for (const [place, { found }] of series.entries()) {
    for (const [at, point] of found.points.entries()) {
      const own = rebased[place]?.[at];
      if (own !== undefined)
        Object.assign(point, { rebased: own.level, rebasedLow: own.low, rebasedHigh: own.high });
    }
  }
  return baseDay === null ? null : new Date(baseDay * dayMs);
}

/** Returns the medians of a window's days and of the day before it, which a change may be compared with. */
async function readMedians(db: Db, query: IndexQuery, day: number): Promise<Map<number, number | null>> {
  const points = await readPoints(
    db,
    { ...query, from: new Date((day - windowDays) * dayMs), to: new Date((day + 1) * dayMs) },
    { bucket: '1d', metric: 'usdPerGpuHour', profile: defaultProfile, filter: noFilter },
  );
  return new Map(points.map(({ t, median }) => [t.getTime() / dayMs, median]));
}
