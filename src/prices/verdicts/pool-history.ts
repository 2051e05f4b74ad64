import { readDictionaries } from '../../books/dictionaries.sql.ts';
import type { Db } from '../../database/connection.ts';
import { type PoolPrices, packPrices, unpackPrices } from './pool-day.ts';
import {
  type BookDay,
  computePoolDays,
  countDeletions,
  type PoolSeries,
  readBookDays,
  readHosts,
  readSliceDays,
  readStoredDays,
  readStoredPrices,
  type SliceDay,
  storePoolDay,
} from './pool-days.sql.ts';

/** The longest window of a verdict, in days. */
export const maxPoolDays = 90;
const dayMs = 86_400_000;
/** Days computed or read at once, to bound memory. */
const daysPerStep = 7;
/** PostgreSQL's error code for a write on a replica. */
const readOnlyTransaction = '25006';

/** A day's prices by model. */
export type DayPrices = ReadonlyMap<number, PoolPrices>;

/** The 90 days of prices and books before a book that its verdicts use. */
export interface PoolHistory {
  at: Date;
  /** By UTC day since 1970. */
  days: ReadonlyMap<number, DayPrices>;
  /** The day's last complete book, ms since 1970, by day. */
  bookDays: ReadonlyMap<number, number>;
  /** The last complete slice of partial books, by model and day. */
  sliceDays: ReadonlyMap<number, ReadonlyMap<number, number>>;
  /** The host of each machine; unknown ones are missing. */
  hosts: ReadonlyMap<number, number>;
  gpuModels: ReadonlyMap<string, number>;
  tiers: ReadonlyMap<string, number>;
}

/** A day's prices, and the newest book that they know. */
export interface CachedDay {
  newestBookId: number;
  prices: DayPrices;
}

export const dayNumberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMs;
export const dayTextOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

/**
 * Creates `readHistory(db, series, at)`. Past days are computed once, stored, and kept in memory; the part of the
 * current day before the book at `at` is recomputed. After a late book, the days that it may have changed are
 * recomputed.
 */
export function createPoolHistories(): (db: Db, series: PoolSeries, at: Date) => Promise<PoolHistory> {
  const kept = new Map<string, Map<string, CachedDay>>();
  return async (db, series, at) => {
    const ofSeries = `${series.scopeId} ${series.type} `;
    // Recomputes days that lost a book to deletion.
    const key = `${ofSeries}${await countDeletions(db, series.scopeId)}`;
    for (const each of kept.keys()) if (each.startsWith(ofSeries) && each !== key) kept.delete(each);
    const known = kept.get(key) ?? new Map<string, CachedDay>();
    kept.set(key, known);
    const from = dayTextOf(Math.floor((at.getTime() - maxPoolDays * dayMs) / dayMs));
    const today = dayTextOf(Math.floor(at.getTime() / dayMs));
    const [bookDays, sliceDays, hosts, dictionaries] = await Promise.all([
      readBookDays(db, series, { from, before: at }),
      readSliceDays(db, series, { from, before: at }),
      readHosts(db, series, { from, to: today }),
      readDictionaries(db),
    ]);
    const past = bookDays.filter(({ day }) => day < today);
    await fillHistory(db, series, known, past);
    for (const day of known.keys()) if (day < from) known.delete(day);
    const days = new Map(past.map(({ day }) => [dayNumberOf(day), known.get(day)?.prices ?? new Map()]));
    const begun = bookDays.find(({ day }) => day === today);
    if (begun !== undefined) days.set(dayNumberOf(today), await computeBegunDay(db, series, today, at));
    return { at, days, hosts, ...dictionaries, ...extents(bookDays, sliceDays) };
  };
}

async function computeBegunDay(db: Db, series: PoolSeries, today: string, at: Date): Promise<DayPrices> {
  const days = await computePoolDays(db, series, { from: new Date(`${today}T00:00:00Z`), before: at });
  return days.get(dayNumberOf(today)) ?? new Map();
}

/** Reads what is stored, computes the rest, and leaves every past day in `known`. */
export async function fillHistory(
  db: Db,
  series: PoolSeries,
  known: Map<string, CachedDay>,
  past: readonly BookDay[],
): Promise<void> {
  const first = past[0];
  if (first === undefined) return;
  const holds = ({ day, newestBookId }: BookDay, newest: number | undefined) =>
    newest === newestBookId && day;
  const wanted = past.filter((day) => !holds(day, known.get(day.day)?.newestBookId));
  if (wanted.length === 0) return;
  const heads = await readStoredDays(db, series, first.day);
  const stored = new Map(heads.map(({ day, newestBookId }) => [day, newestBookId]));
  const missing = wanted.filter((day) => !holds(day, stored.get(day.day)));
  const readable = wanted.filter((day) => !missing.includes(day));
  for (let at = 0; at < readable.length; at += daysPerStep) {
    const step = readable.slice(at, at + daysPerStep);
    const byDay = new Map(step.map(({ day }) => [day, new Map<number, PoolPrices>()]));
    for (const row of await readStoredPrices(
      db,
      series,
      step.map(({ day }) => day),
    )) {
      byDay.get(row.day)?.set(row.gpuModelId, unpackPrices(row.prices));
    }
    for (const { day, newestBookId } of step) {
      known.set(day, { newestBookId, prices: byDay.get(day) ?? new Map() });
    }
  }
  for (let at = 0; at < missing.length; at += daysPerStep) {
    await workOut(db, series, known, missing.slice(at, at + daysPerStep));
  }
}

async function workOut(
  db: Db,
  series: PoolSeries,
  known: Map<string, CachedDay>,
  step: readonly BookDay[],
): Promise<void> {
  const [first, last] = [step[0], step.at(-1)];
  if (first === undefined || last === undefined) return;
  const days = await computePoolDays(db, series, {
    from: new Date(`${first.day}T00:00:00Z`),
    before: new Date(dayNumberOf(last.day) * dayMs + dayMs),
  });
  for (const { day, newestBookId } of step) {
    const prices: DayPrices = days.get(dayNumberOf(day)) ?? new Map();
    const models = new Map([...prices].map(([id, each]) => [id, packPrices(each)]));
    await storeUnlessReadOnly(db, series, { day, newestBookId, models });
    known.set(day, { newestBookId, prices });
  }
}

/** A replica is read-only, so its processes compute days themselves until the primary has stored them. */
async function storeUnlessReadOnly(...args: Parameters<typeof storePoolDay>): Promise<void> {
  try {
    await storePoolDay(...args);
  } catch (error) {
    if ((error as { code?: unknown }).code !== readOnlyTransaction) throw error;
  }
}

function extents(
  bookDays: readonly BookDay[],
  sliceDays: readonly SliceDay[],
): Pick<PoolHistory, 'bookDays' | 'sliceDays'> {
  const whole = new Map<number, number>();
  for (const { day, lastCompleteAt } of bookDays) {
    if (lastCompleteAt !== null) whole.set(dayNumberOf(day), lastCompleteAt.getTime());
  }
  const slices = new Map<number, Map<number, number>>();
  for (const { gpuModelId, day, lastAt } of sliceDays) {
    const ofModel = slices.get(gpuModelId) ?? new Map<number, number>();
    ofModel.set(dayNumberOf(day), lastAt.getTime());
    slices.set(gpuModelId, ofModel);
  }
  return { bookDays: whole, sliceDays: slices };
}
