import type { Verification } from '../../core/offer-fields.ts';
import type { Db } from '../../database/connection.ts';
import { pooledPrice, unknownTier } from './pool-day.ts';
import type { PoolSeries } from './pool-days.sql.ts';
import { createPoolHistories, maxPoolDays, type PoolHistory } from './pool-history.ts';
import { isOutlier } from './segment-medians.ts';
import { seriesVersion } from './segment-prices.sql.ts';

/** Comparable offers: of a model, and of a verification tier, of unknown tier (null), or of all tiers (`all`). */
export interface PoolSegment {
  gpuName: string;
  verification: string | null | 'all';
}

/** The prices of a segment over some days: the lowest per machine and UTC day, ascending. */
export interface PoolWindow {
  /** $/GPU/hour at the listed 8 GB, to a billionth. */
  values: Float64Array;
  machines: number;
  /** Number of known hosts. */
  hosts: number;
  /** Share of the window's days with a complete book, 0 to 1. */
  coverage: number;
}

/** The pools for verdicts at one book of one series. */
export interface VerdictPools {
  /** Prices of machines in complete books in (at − days, at). `days`: 1 to 90. */
  window: (segment: PoolSegment, days: number) => PoolWindow;
  /**
   * Whole UTC days since the segment's lowest price of a day was at or below `usdPerGpuHour`, or since the first day
   * with books if it never was; at most 90. `usualOf` returns the usual price of a tier; prices below a quarter or
   * above four times it are ignored as outliers. null: no complete book before.
   */
  lowestInDays: (segment: PoolSegment, usdPerGpuHour: number, usualOf: UsualOf) => number | null;
  /** Of the UTC days before the book's day, those with a price, and those whose lowest one was below; no outliers. */
  lowerDays: (
    segment: PoolSegment,
    of: { usdPerGpuHour: number; days: number; usualOf: UsualOf },
  ) => { pricedDays: number; lowerDays: number };
}

/** Returns the usual price of a tier, by which outliers are found; null: it has none. */
type UsualOf = (verification: Verification | null) => number | null;

const dayMs = 86_400_000;
const maxCached = 8;
/** Per series: the book that a request began with and a newer one. A book's windows take tens of megabytes. */
const maxCachedOfSeries = 2;

/**
 * Creates `poolsAt(db, series, book)`: the pools for verdicts at a book, cached for the newest requested books. Costs
 * one query for the book's own day, and once one for each week of days not yet computed.
 */
export function createVerdictPools(): (
  db: Db,
  series: PoolSeries,
  book: { id: number; observedAt: Date },
) => Promise<VerdictPools> {
  const readHistory = createPoolHistories();
  const kept = new Map<string, { version: string; pools: Promise<VerdictPools> }>();
  return async (db, series, book) => {
    const ofSeries = `${series.scopeId} ${series.type} `;
    const key = `${ofSeries}${book.id}`;
    // A late book changes the history of this one.
    const version = await seriesVersion(db, series);
    const known = kept.get(key);
    if (known !== undefined && known.version === version) return await known.pools;
    const pools = readHistory(db, series, book.observedAt).then(createPools);
    kept.set(key, { version, pools });
    pools.catch(() => kept.delete(key));
    const same = [...kept.keys()].filter((each) => each.startsWith(ofSeries));
    const [oldest] = same.length > maxCachedOfSeries ? same : kept.keys();
    if (oldest !== undefined && (same.length > maxCachedOfSeries || kept.size > maxCached))
      kept.delete(oldest);
    return await pools;
  };
}

/** Returns the percentage of values below a price, counting equal ones half; null: there are no values. */
export function percentileOf(values: Float64Array, usdPerGpuHour: number): number | null {
  if (values.length === 0) return null;
  const price = pooledPrice(usdPerGpuHour);
  const below = countBelow(values, (value) => value < price);
  const notAbove = countBelow(values, (value) => value <= price);
  return (100 * (below + (notAbove - below) / 2)) / values.length;
}

/** Returns how many ascending values pass a test that only a first part of them passes. */
function countBelow(values: Float64Array, passes: (value: number) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(values[middle] ?? Number.POSITIVE_INFINITY)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Creates the pools of a history. */
export function createPools(history: PoolHistory): VerdictPools {
  const windows = new Map<string, PoolWindow>();
  const minima = new Map<string, Map<number, number>>();
  const keyOf = ({ gpuName, verification }: PoolSegment) => `${gpuName}|${verification ?? ''}`;
  const minimaOf = (segment: PoolSegment, usualOf: UsualOf): Map<number, number> => {
    const key = keyOf(segment);
    const ofDays = minima.get(key) ?? gatherMinima(history, segment, usualOf);
    minima.set(key, ofDays);
    return ofDays;
  };
  const today = Math.floor(history.at.getTime() / dayMs);
  return {
    window: (segment, days) => {
      if (!(days >= 1 && days <= maxPoolDays)) throw new RangeError(`a pool has 1 to ${maxPoolDays} days`);
      const key = `${keyOf(segment)}|${days}`;
      const known = windows.get(key);
      if (known !== undefined) return known;
      const made = gatherWindow(history, segment, days);
      windows.set(key, made);
      return made;
    },
    lowestInDays: (segment, usdPerGpuHour, usualOf) => {
      const ofDays = minimaOf(segment, usualOf);
      const price = pooledPrice(usdPerGpuHour);
      for (let back = 0; back <= maxPoolDays; back += 1) {
        const lowest = ofDays.get(today - back);
        if (lowest !== undefined && lowest <= price) return back;
      }
      const covered = coveredDays(history, segment).map(([day]) => day);
      return covered.length === 0 ? null : Math.min(maxPoolDays, today - Math.min(...covered));
    },
    lowerDays: (segment, { usdPerGpuHour, days, usualOf }) => {
      const price = pooledPrice(usdPerGpuHour);
      const lowest = [...minimaOf(segment, usualOf)].filter(([day]) => day < today && day >= today - days);
      return { pricedDays: lowest.length, lowerDays: lowest.filter(([, usd]) => usd < price).length };
    },
  };
}

/** An id that no model or tier has. */
const noId = -1;

/** Returns the ids of a segment; `tierId` null: all tiers. */
function idsOf({ gpuModels, tiers }: PoolHistory, { gpuName, verification }: PoolSegment) {
  const oneTier = verification === null ? unknownTier : (tiers.get(verification) ?? noId);
  return { modelId: gpuModels.get(gpuName) ?? noId, tierId: verification === 'all' ? null : oneTier };
}

function gatherWindow(history: PoolHistory, segment: PoolSegment, windowDays: number): PoolWindow {
  const { modelId, tierId } = idsOf(history, segment);
  const from = history.at.getTime() - windowDays * dayMs;
  const firstDay = Math.floor(from / dayMs);
  const lastDay = Math.floor(history.at.getTime() / dayMs);
  const values: number[] = [];
  const machines = new Set<number>();
  for (let day = firstDay; day <= lastDay; day += 1) {
    const prices = history.days.get(day)?.get(modelId);
    if (prices === undefined) continue;
    // The window excludes its beginning, so of its first day only later sightings count.
    const after = day === firstDay ? from - day * dayMs : -1;
    const { machineIds, usdPerGpuHour, lastMs, tierIds } = prices;
    for (let at = 0; at < machineIds.length; ) {
      const machine = machineIds[at] ?? 0;
      let lowest = Number.POSITIVE_INFINITY;
      for (; at < machineIds.length && machineIds[at] === machine; at += 1) {
        if (tierId !== null && tierIds[at] !== tierId) continue;
        if ((lastMs[at] ?? 0) <= after) continue;
        lowest = Math.min(lowest, usdPerGpuHour[at] ?? lowest);
      }
      if (lowest === Number.POSITIVE_INFINITY) continue;
      values.push(lowest);
      machines.add(machine);
    }
  }
  const covered = coveredDays(history, segment).filter(([, lastMs]) => lastMs > from);
  const hosts = new Set([...machines].map((machine) => history.hosts.get(machine)));
  hosts.delete(undefined);
  return {
    values: Float64Array.from(values).sort(),
    machines: machines.size,
    hosts: hosts.size,
    coverage: Math.min(1, covered.length / windowDays),
  };
}

/** Returns the UTC days with a book that covers the model before the history's moment, each with its last such book. */
function coveredDays(history: PoolHistory, segment: PoolSegment): [day: number, lastMs: number][] {
  const { modelId } = idsOf(history, segment);
  const last = new Map(history.bookDays);
  for (const [day, lastMs] of history.sliceDays.get(modelId) ?? []) {
    last.set(day, Math.max(last.get(day) ?? lastMs, lastMs));
  }
  return [...last];
}

/** Returns the segment's lowest price of each day without outliers. */
function gatherMinima(history: PoolHistory, segment: PoolSegment, usualOf: UsualOf): Map<number, number> {
  const { modelId, tierId } = idsOf(history, segment);
  const names = new Map([...history.tiers].map(([name, id]) => [id, name as Verification]));
  const usual = new Map([unknownTier, ...names.keys()].map((id) => [id, usualOf(names.get(id) ?? null)]));
  const minima = new Map<number, number>();
  for (const [day, models] of history.days) {
    const prices = models.get(modelId);
    if (prices === undefined) continue;
    let lowest = Number.POSITIVE_INFINITY;
    for (const [at, price] of prices.usdPerGpuHour.entries()) {
      const tier = prices.tierIds[at] ?? unknownTier;
      if (tierId !== null && tier !== tierId) continue;
      if (isOutlier(price, usual.get(tier) ?? null) !== true) lowest = Math.min(lowest, price);
    }
    if (lowest !== Number.POSITIVE_INFINITY) minima.set(day, lowest);
  }
  return minima;
}
