import { readDictionaries } from '../../books/dictionaries.sql.ts';
import { countBelow } from '../../core/count-below.ts';
import { utcDayNumber } from '../../core/utc-day.ts';
import type { Db } from '../../database/connection.ts';
import { type BookMoments, readBookMoments } from '../spans/book-moments.sql.ts';
import type { PoolPrices } from './pool-day.ts';
import { computePoolDays, type PoolSeries, readBookDays, readHosts } from './pool-days.sql.ts';
import {
  type CachedDay,
  type DayPrices,
  dayNumberOf,
  dayTextOf,
  fillHistory,
  maxPoolDays,
  type PoolHistory,
} from './pool-history.ts';
import { createPools, type VerdictPools } from './verdict-pools.ts';

const dayMs = 86_400_000;

/** The pools for verdicts at each book of a past. */
type PoolsAt = (db: Db, series: PoolSeries, book: { observedAt: Date }) => Promise<VerdictPools>;

/**
 * Creates `poolsAt(db, series, book)` for books in [from, to): the same pools as at each of them, of some models (null:
 * of all). What they share is read once, so that a book costs no query but the first of each day.
 */
export function createPastPools(
  range: { from: Date; to: Date },
  gpuNames: readonly string[] | null,
): PoolsAt {
  const kept = new Map<string, Promise<(at: Date) => Promise<PoolHistory>>>();
  return async (db, series, { observedAt }) => {
    const key = `${series.scopeId} ${series.type}`;
    const reading = kept.get(key) ?? readPast(db, series, range, gpuNames);
    kept.set(key, reading);
    const historyAt = await reading;
    return createPools(await historyAt(observedAt));
  };
}

async function readPast(
  db: Db,
  series: PoolSeries,
  { from, to }: { from: Date; to: Date },
  gpuNames: readonly string[] | null,
): Promise<(at: Date) => Promise<PoolHistory>> {
  const begin = dayTextOf(utcDayNumber(from) - maxPoolDays);
  const newest = utcDayNumber(to);
  const past = await readBookDays(db, series, { from: begin, before: new Date(newest * dayMs) });
  const known = new Map<string, CachedDay>();
  await fillHistory(db, series, known, past);
  const begun = await computePoolDays(db, series, { from: new Date(newest * dayMs), before: to });
  const days = new Map<number, DayPrices>([
    ...[...known].map(([day, { prices }]) => [dayNumberOf(day), prices] as const),
    ...begun,
  ]);
  const books = await readBookMoments(db, { ...series, from: new Date(`${begin}T00:00:00Z`), to });
  const times = Float64Array.from(books.times, (time) => time.getTime());
  const dictionaries = await readDictionaries(db);
  const modelIds = gpuNames?.flatMap((name) => dictionaries.gpuModels.get(name) ?? []) ?? null;
  let ofDay: { today: number; before: Omit<PoolHistory, 'at'> } | null = null;
  return async (at) => {
    const today = utcDayNumber(at);
    if (ofDay?.today !== today) {
      const first = today - maxPoolDays;
      const hosts = await readHosts(db, series, { from: dayTextOf(first), to: dayTextOf(today) });
      const whole = new Map([...days].filter(([day]) => day >= first && day < today));
      const covered = coverBefore(books, times, { first, before: today * dayMs });
      ofDay = { today, before: { ...dictionaries, hosts, days: whole, ...covered } };
    }
    const { before } = ofDay;
    const now = coverBefore(books, times, { first: today, before: at.getTime() });
    return {
      ...before,
      at,
      days: new Map([...before.days, [today, pricesBefore(days.get(today), at, modelIds)]]),
      bookDays: new Map([...before.bookDays, ...now.bookDays]),
      sliceDays: now.sliceDays.size === 0 ? before.sliceDays : joined(before.sliceDays, now.sliceDays),
    };
  };
}

/** Returns the last complete book, and by model the last complete slice, of each day from `first` on, before a moment. */
function coverBefore(
  { complete, slices }: BookMoments,
  times: Float64Array,
  { first, before }: { first: number; before: number },
): Pick<PoolHistory, 'bookDays' | 'sliceDays'> {
  const [begin, end] = [countBelow(times, first * dayMs), countBelow(times, before)];
  const bookDays = new Map<number, number>();
  const noteLast = (days: Map<number, number>, ordinal: number): void => {
    const time = times[ordinal] as number;
    days.set(Math.floor(time / dayMs), time);
  };
  for (let ordinal = begin; ordinal < end; ordinal += 1) {
    if (complete[ordinal] === 1) noteLast(bookDays, ordinal);
  }
  const sliceDays = new Map<number, Map<number, number>>();
  for (const [model, ordinals] of slices) {
    const days = new Map<number, number>();
    for (const ordinal of ordinals.toSorted((a, b) => a - b)) {
      if (ordinal >= begin && ordinal < end) noteLast(days, ordinal);
    }
    if (days.size > 0) sliceDays.set(model, days);
  }
  return { bookDays, sliceDays };
}

type SliceDays = PoolHistory['sliceDays'];

const joined = (one: SliceDays, other: SliceDays): SliceDays =>
  new Map(
    [...new Set([...one.keys(), ...other.keys()])].map((model) => [
      model,
      new Map([...(one.get(model) ?? []), ...(other.get(model) ?? [])]),
    ]),
  );

/** Returns the entries of a day that a book before a moment of it had; of some models, null: of all. */
function pricesBefore(
  prices: DayPrices | undefined,
  at: Date,
  modelIds: readonly number[] | null,
): DayPrices {
  const before = at.getTime() % dayMs;
  const ofModels = [...(prices ?? [])].filter(([model]) => modelIds === null || modelIds.includes(model));
  return new Map(ofModels.map(([model, each]) => [model, begunBefore(each, before)]));
}

function begunBefore(
  { machineIds, usdPerGpuHour, firstMs, lastMs, tierIds }: PoolPrices,
  before: number,
): PoolPrices {
  const hasBegun = (_: unknown, place: number): boolean => (firstMs[place] as number) < before;
  return {
    machineIds: machineIds.filter(hasBegun),
    usdPerGpuHour: usdPerGpuHour.filter(hasBegun),
    firstMs: firstMs.filter(hasBegun),
    lastMs: lastMs.filter(hasBegun),
    tierIds: tierIds.filter(hasBegun),
  };
}
