import type { Verification } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';
import { pooledPrice } from './pool-day.ts';
import type { PoolSeries } from './pool-days.sql.ts';
import { createPoolHistories, maxPoolDays, type PoolHistory } from './pool-history.ts';
import { isOutlier } from './segment-medians.ts';
import { seriesVersion } from './segment-prices.sql.ts';

/** Offers that are compared: of a model, and of a verification tier or (null) of those whose tier is unknown; `all`: of every tier. */
export interface PoolSegment {
  gpuName: string;
  verification: string | null | 'all';
}

/** The prices of a segment over some days: one value a machine and UTC day, its lowest, ascending. */
export interface PoolWindow {
  /** $/GPU/hour at the listed 8 GB, to a billionth. */
  values: Float64Array;
  machines: number;
  /** Hosts whose id is known. */
  hosts: number;
  /** Share of the window's days with a complete book, 0 to 1. */
  coverage: number;
}

/** The pools of verdicts at one book, of one series. */
export interface VerdictPools {
  /** Prices of machines present in complete books in (at − days, at). `days`: 1 to 90. */
  window: (segment: PoolSegment, days: number) => PoolWindow;
  /**
   * Whole UTC days since the segment's lowest price of a day was at or below `usdPerGpuHour`; where it never was,
   * since the first day with books; at most 90. `usualOf` gives the usual price of a tier: prices below a quarter
   * and above four times it are outliers and left out. null: no complete book before.
   */
  lowestInDays: (
    segment: PoolSegment,
    usdPerGpuHour: number,
    usualOf: (verification: Verification | null) => number | null,
  ) => number | null;
}

const dayMs = 86_400_000;
const maxCached = 8;
/** Of one series: what a request began with, and what has landed since. A book's windows are tens of megabytes. */
const maxCachedOfSeries = 2;

/**
 * Makes `poolsAt(db, series, book)`: the pools of verdicts at a book, kept for the newest books that were asked
 * for. Costs a query for the book's own day and, once, one for each week of days that were never worked out.
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
    // A late book changes what was before this one.
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

/** The share of values below a price, those equal to it half, in percent; null: there are none. */
export function percentileOf(values: Float64Array, usdPerGpuHour: number): number | null {
  if (values.length === 0) return null;
  const price = pooledPrice(usdPerGpuHour);
  const below = countBelow(values, (value) => value < price);
  const notAbove = countBelow(values, (value) => value <= price);
  return (100 * (below + (notAbove - below) / 2)) / values.length;
}

/** How many of ascending values pass a test that none passes after the first that does not. */
function countBelow(values: Float64Array, passes: (value: number) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(values[middle] ?? Number.POSITIVE_INFINITY)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function createPools(history: PoolHistory): VerdictPools {
  const windows = new Map<string, PoolWindow>();
  const minima = new Map<string, Map<number, number>>();
  const keyOf = ({ gpuName, verification }: PoolSegment) => `${gpuName}|${verification ?? ''}`;
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
      const key = keyOf(segment);
      const ofDays = minima.get(key) ?? gatherMinima(history, segment, usualOf);
      minima.set(key, ofDays);
      const today = Math.floor(history.at.getTime() / dayMs);
      const price = pooledPrice(usdPerGpuHour);
      for (let back = 0; back <= maxPoolDays; back += 1) {
        const lowest = ofDays.get(today - back);
        if (lowest !== undefined && lowest <= price) return back;
      }
      const covered = coveredDays(history, segment).map(([day]) => day);
      return covered.length === 0 ? null : Math.min(maxPoolDays, today - Math.min(...covered));
    },
  };
}

const anyTier = -1;

function idsOf({ gpuModels, tiers }: PoolHistory, { gpuName, verification }: PoolSegment) {
  const tierId =
    verification === 'all' ? anyTier : verification === null ? 0 : (tiers.get(verification) ?? -2);
  return { modelId: gpuModels.get(gpuName) ?? -1, tierId };
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
    // The window is open at its beginning: of its first day only what was seen later counts.
    const after = day === firstDay ? from - day * dayMs : -1;
    const { machineIds, usdPerGpuHour, lastMs, tierIds } = prices;
    for (let at = 0; at < machineIds.length; ) {
      const machine = machineIds[at] ?? 0;
      let lowest = Number.POSITIVE_INFINITY;
      for (; at < machineIds.length && machineIds[at] === machine; at += 1) {
        if (tierId !== anyTier && tierIds[at] !== tierId) continue;
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

/** UTC days with a book that covers the model, before the history's moment, each with the last such book. */
function coveredDays(history: PoolHistory, segment: PoolSegment): [day: number, lastMs: number][] {
  const { modelId } = idsOf(history, segment);
  const last = new Map(history.bookDays);
  for (const [day, lastMs] of history.sliceDays.get(modelId) ?? []) {
    last.set(day, Math.max(last.get(day) ?? lastMs, lastMs));
  }
  return [...last];
}

/** The segment's lowest price of each day, outliers left out. */
function gatherMinima(
  history: PoolHistory,
  segment: PoolSegment,
  usualOf: (verification: Verification | null) => number | null,
): Map<number, number> {
  const { modelId, tierId } = idsOf(history, segment);
  const names = new Map([...history.tiers].map(([name, id]) => [id, name as Verification]));
  const usual = new Map([0, ...names.keys()].map((id) => [id, usualOf(names.get(id) ?? null)]));
  const minima = new Map<number, number>();
  for (const [day, models] of history.days) {
    const prices = models.get(modelId);
    if (prices === undefined) continue;
    let lowest = Number.POSITIVE_INFINITY;
    for (const [at, price] of prices.usdPerGpuHour.entries()) {
      const tier = prices.tierIds[at] ?? 0;
      if (tierId !== anyTier && tier !== tierId) continue;
      if (isOutlier(price, usual.get(tier) ?? null) !== true) lowest = Math.min(lowest, price);
    }
    if (lowest !== Number.POSITIVE_INFINITY) minima.set(day, lowest);
  }
  return minima;
}
