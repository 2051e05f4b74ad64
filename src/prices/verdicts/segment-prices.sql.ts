import { byId, readDictionaries } from '../../books/dictionaries.sql.ts';
import { countBelow } from '../../core/count-below.ts';
import { defaultProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { Verification } from '../../core/offer-fields.ts';
import { createTurns } from '../../core/turns.ts';
import type { Db } from '../../database/connection.ts';
import { readBookMoments } from '../spans/book-moments.sql.ts';
import { readSpans } from '../spans/read-spans.sql.ts';
import { bucketsOf } from '../statistics/book-axis.ts';
import { pickBy } from '../statistics/span-columns.ts';
import { poolPrices, rankValues } from '../statistics/weighted-pool.ts';

/** Usual price of one segment: model and verification within a series. */
export interface SegmentPrice {
  gpuName: string;
  verification: Verification | null;
  /** $/GPU/hour at the listed 8 GB, each offer once per covering book that held it. */
  medianUsdPerGpuHour: number;
  observations: number;
}

const dayMs = 86_400_000;

/** What medians are asked of. */
interface SegmentQuestion {
  /** Length of a window. */
  days: number;
  /** Only these models; null: all. */
  gpuNames?: readonly string[] | null;
}

/**
 * Returns exact medians over the covering books in (`at` − `days`, `at`], each offer once per covering book that held
 * it. Segments without a price are missing.
 */
export async function segmentPrices(
  db: Db,
  series: { marketId: number; scopeId: number; type: PricingType },
  { at, ...question }: SegmentQuestion & { at: Date },
): Promise<SegmentPrice[]> {
  const [prices = []] = await segmentPricesAt(db, series, { ...question, moments: [at] });
  return prices;
}

/** Returns the same at each of some moments, ascending: what their windows share is read once. */
export async function segmentPricesAt(
  db: Db,
  series: { marketId: number; scopeId: number; type: PricingType },
  { moments, days, gpuNames }: SegmentQuestion & { moments: readonly Date[] },
): Promise<SegmentPrice[][]> {
  // Books have distinct milliseconds: a window excludes its beginning and ends with the book at its moment.
  const windows = moments.map((at) => ({ from: at.getTime() - days * dayMs + 1, to: at.getTime() + 1 }));
  const [first, last] = [windows[0], windows.at(-1)];
  if (first === undefined || last === undefined) return [];
  const books = await readBookMoments(db, { ...series, from: new Date(first.from), to: new Date(last.to) });
  const { gpuModels, tiers } = await readDictionaries(db);
  const gpuModelIds = gpuNames?.flatMap((name) => gpuModels.get(name) ?? []) ?? null;
  if (gpuModelIds?.length === 0) return windows.map(() => []);
  const asked = { ...series, gpuModelIds, metric: 'usdPerGpuHour', profile: defaultProfile } as const;
  const spans = await readSpans(db, asked, books);
  const [modelNames, tierNames] = [byId(gpuModels), byId(tiers)];
  const groups = pickBy(
    spans,
    (index) => (spans.gpuModelId[index] ?? 0) * maxTiers + (spans.verificationTierId[index] ?? -1) + 1,
  );
  const segments = [...groups].map(([segment, picked]) => {
    const modelId = Math.floor(segment / maxTiers);
    const tierId = (segment % maxTiers) - 1;
    const names = {
      gpuName: modelNames.get(modelId) ?? '',
      verification: tierId < 0 ? null : (tierNames.get(tierId) ?? null),
    };
    return { names, picked, ranked: rankValues(spans, picked), covered: books.coverOf(modelId) };
  });
  const times = Float64Array.from(books.times, (time) => time.getTime());
  const turns = createTurns();
  const found: SegmentPrice[][] = [];
  for (const { from, to } of windows) {
    await turns.pass();
    const range = { from: countBelow(times, from), to: countBelow(times, to) };
    const whole = bucketsOf([range], times.length);
    const prices = segments.flatMap(({ names, picked, ranked, covered }) => {
      const [figures] = poolPrices(spans, picked, ranked, whole, covered);
      const median = figures?.percentiles?.[medianPlace];
      if (figures === undefined || median === undefined) return [];
      return [{ ...names, medianUsdPerGpuHour: median, observations: figures.observations }];
    });
    found.push(prices);
  }
  return found;
}

/** More than any tier id. */
const maxTiers = 32_768;
/** Index of the median among the percentiles of pools. */
const medianPlace = 2;

/** Returns a version that changes whenever a book of the series lands, even late, or is deleted. */
export async function seriesVersion(db: Db, series: { scopeId: number; type: PricingType }): Promise<string> {
  const [row] = await db<{ version: string }[]>`
    select concat(deletions, ' ', (select id from book where scope_id = s.id and type = ${series.type}
      order by id desc limit 1)) as version
    from scope s where s.id = ${series.scopeId}`;
  return row?.version ?? '';
}
