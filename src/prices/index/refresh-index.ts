import { countBelow } from '../../core/count-below.ts';
import { defaultProfile } from '../../core/metric.ts';
import { utcDayNumber } from '../../core/utc-day.ts';
import type { Db } from '../../database/connection.ts';
import { type BookMoments, readBookMoments } from '../spans/book-moments.sql.ts';
import { readSpans } from '../spans/read-spans.sql.ts';
import type { SpanColumns } from '../statistics/span-columns.ts';
import { gatherObservations } from './gather-observations.ts';
import { describeDay } from './index-day.ts';
import { findIndexModels, type MadeIndexDay, writeIndexDays } from './index-days.sql.ts';
import { joinDays, windowDays } from './index-window.ts';
import { packObservations, unpackObservations } from './pack-observations.ts';
import {
  type DayRange,
  dropObservations,
  findMissingDays,
  type IndexSeries,
  readObservations,
  storeObservations,
} from './stored-observations.sql.ts';

const dayMs = 86_400_000;
/** 2000-01-01; moments are microseconds since then. */
const epochDay = 10_957;
/** Days recomputed at once, to bound memory. */
const daysPerStep = 7;

/** Days by model. */
export type ModelDays = Map<number, Set<number>>;

/** Spans read with their listings, and the books they refer to. */
export interface SpansOfBooks {
  spans: SpanColumns;
  books: BookMoments;
}

/** Stores the observations of some days; adds the models whose observations differ from before to `changed`. */
export async function storeDays(
  tx: Db,
  series: IndexSeries,
  { spans, books }: SpansOfBooks,
  days: readonly number[],
  changed: ModelDays,
): Promise<void> {
  const startOf = (day: number): number => countBelow(books.micros, (day - epochDay) * dayMs * 1000);
  const booksOf = days.map((day) => ({ from: startOf(day), to: startOf(day + 1) }));
  const gathered = gatherObservations(spans, books, booksOf);
  for (const [at, day] of days.entries()) {
    const { from = 0, to = 0 } = booksOf[at] ?? {};
    const models = [...(gathered[at] ?? [])].map(([id, own]) => [id, packObservations(own)] as const);
    const stored = await storeObservations(tx, series, day, from === to ? null : new Map(models));
    for (const id of stored) changed.set(id, (changed.get(id) ?? new Set()).add(day));
  }
}

/** Recomputes the index of windows with a changed day of a model. */
export async function refreshWindows(tx: Db, series: IndexSeries, changed: ModelDays): Promise<void> {
  const spread = (days: ReadonlySet<number>): Set<number> =>
    new Set([...days].flatMap((day) => Array.from({ length: windowDays }, (_, after) => day + after)));
  await makeWindows(tx, series, new Map([...changed].map(([model, days]) => [model, spread(days)])));
}

/**
 * Recomputes the index of a range of days from spans over it; stores observations of the window before it. Then deletes
 * observations before `keptFrom` that the next range does not need; null: deletes none.
 */
export async function rebuildIndex(
  tx: Db,
  series: IndexSeries,
  read: SpansOfBooks,
  range: DayRange,
  keptFrom: number | null,
): Promise<void> {
  const bookDays = new Set(read.books.times.map(utcDayNumber));
  const days = Array.from({ length: range.last - range.first + 1 }, (_, after) => range.first + after);
  await dropObservations(tx, series, range);
  await storeDays(
    tx,
    series,
    read,
    days.filter((day) => bookDays.has(day)),
    new Map(),
  );
  const models = await findIndexModels(tx, series, range);
  await makeWindows(tx, series, new Map(models.map((model) => [model, new Set(days)])));
  if (keptFrom === null) return;
  await dropObservations(tx, series, { first: 0, last: Math.min(keptFrom, range.last + 2 - windowDays) - 1 });
}

/** Computes the index of some models on some days, each from the window that ends with the day. */
async function makeWindows(tx: Db, series: IndexSeries, targets: ModelDays): Promise<void> {
  const all = [...targets.values()].flatMap((days) => [...days]);
  if (all.length === 0) return;
  const first = all.reduce((lowest, day) => Math.min(lowest, day));
  const last = all.reduce((highest, day) => Math.max(highest, day));
  await storeMissing(tx, series, { first: first - windowDays + 1, last });
  const rows: MadeIndexDay[] = [];
  for (const [gpuModelId, days] of targets) {
    rows.push(
      ...(await indexOfModel(
        tx,
        series,
        gpuModelId,
        [...days].sort((a, b) => a - b),
      )),
    );
  }
  const pairs = [...targets].flatMap(([gpuModelId, days]) => [...days].map((day) => ({ gpuModelId, day })));
  await writeIndexDays(tx, series, pairs, rows);
}

async function indexOfModel(
  tx: Db,
  series: IndexSeries,
  gpuModelId: number,
  days: readonly number[],
): Promise<MadeIndexDay[]> {
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  const packed = await readObservations(tx, series, gpuModelId, { first: first - windowDays + 1, last });
  const observed = new Map([...packed].map(([day, bytes]) => [day, unpackObservations(bytes)]));
  return days.flatMap((day) => {
    if (!observed.has(day)) return [];
    const ofWindow = Array.from(
      { length: windowDays },
      (_, place) => observed.get(day - windowDays + 1 + place) ?? null,
    );
    const own = describeDay(joinDays(ofWindow));
    return own === null ? [] : [{ gpuModelId, day, ...own }];
  });
}

/** Stores days that retention has dropped, or that are older than the index. */
async function storeMissing(tx: Db, series: IndexSeries, range: DayRange): Promise<void> {
  const missing = await findMissingDays(tx, series, range);
  for (let at = 0; at < missing.length; ) {
    const first = missing[at] as number;
    const step = missing.slice(at).filter((day) => day < first + daysPerStep);
    const to = new Date(((step.at(-1) as number) + 1) * dayMs);
    const books = await readBookMoments(tx, { ...series, from: new Date(first * dayMs), to });
    const request = { ...series, gpuModelIds: null, metric: 'usdPerGpuHour', withListings: true } as const;
    const spans = await readSpans(tx, { ...request, profile: defaultProfile }, books);
    await storeDays(tx, series, { spans, books }, step, new Map());
    at += step.length;
  }
}
