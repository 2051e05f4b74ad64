import { readDictionaries } from '../../books/dictionaries.sql.ts';
import { defaultProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import { createTurns } from '../../core/turns.ts';
import type { Db } from '../../database/connection.ts';
import { readBookMoments } from '../../prices/spans/book-moments.sql.ts';
import { readSpans } from '../../prices/spans/read-spans.sql.ts';
import { createSpanOffers, pickAll } from '../../prices/statistics/span-columns.ts';
import { isOutlier, outlierDays } from '../../prices/verdicts/segment-medians.ts';
import { lowerPrices } from '../../prices/wait/lowest-prices.ts';
import { readUsualPrices } from '../../prices/wait/usual-prices.ts';

export interface HoursOfModel {
  marketId: number;
  scopeId: number;
  type: PricingType;
  gpuName: string;
  storageGb: number;
  /** Beginnings of UTC hours, milliseconds. */
  times: readonly number[];
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const hourOf = (at: Date): number => Math.floor(at.getTime() / hourMs) * hourMs;
const dayOf = (ms: number): number => Math.floor(ms / dayMs);

/** Returns the range of books that decide about the outliers of some hours: their UTC days and the 30 days before. */
export function outlierRange(times: readonly number[]): { from: Date; to: Date } {
  const [first, last] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
  return {
    from: new Date((dayOf(first) - outlierDays) * dayMs),
    to: new Date((dayOf(last) + 1) * dayMs),
  };
}

/**
 * Returns the lowest price per GPU of each hour that is no outlier, by the medians of the 30 days that end with the last
 * book of its UTC day; hours without such a price are missing. Source: docs/meaning.md#against-the-market.
 */
export async function readLowestHours(db: Db, request: HoursOfModel): Promise<Map<number, number>> {
  const { marketId, scopeId, type, gpuName, storageGb, times } = request;
  const lowest = new Map<number, number>();
  const gpuModelId = (await readDictionaries(db)).gpuModels.get(gpuName);
  if (gpuModelId === undefined) return lowest;
  const books = await readBookMoments(db, { scopeId, type, ...outlierRange(times) });
  const asked = { marketId, scopeId, type, gpuModelIds: [gpuModelId], withOffers: true };
  const profile = { ...defaultProfile, storageGb };
  const spans = await readSpans(db, { ...asked, metric: 'usdPerGpuHour', profile }, books);
  const { listedUsdPerGpuHour } = spans.offers ?? createSpanOffers(0);
  const turns = createTurns();
  const tiers = spans.verificationTierId;
  const tierIds = new Set(tiers.subarray(0, spans.length));
  const listed = { ...spans, value: listedUsdPerGpuHour };
  const usual = await readUsualPrices(listed, { gpuModelId, tierIds }, books, turns);

  const covered = books.coverOf(gpuModelId);
  const isCovered = (at: number): boolean => covered[at + 1] !== covered[at];
  const lastOfDay = new Map<number, number>();
  books.times.forEach((at, ordinal) => {
    if (isCovered(ordinal)) lastOfDay.set(dayOf(at.getTime()), ordinal);
  });
  const wanted = new Set(times);
  const counts = Int8Array.from(books.times, (at, ordinal) =>
    isCovered(ordinal) && wanted.has(hourOf(at)) ? 1 : 0,
  );
  const isLeftOut = (place: number, ordinal: number): boolean => {
    const judging = lastOfDay.get(dayOf((books.times[ordinal] as Date).getTime()));
    const median = usual.get(tiers[place] as number)?.[judging ?? -1] ?? Number.NaN;
    return isOutlier(listedUsdPerGpuHour[place] as number, median) === true;
  };
  const prices = new Float64Array(counts.length).fill(Number.NaN);
  await lowerPrices(prices, { spans, picked: pickAll(spans) }, { counts, isLeftOut }, turns);
  prices.forEach((price, ordinal) => {
    if (Number.isNaN(price)) return;
    const hour = hourOf(books.times[ordinal] as Date);
    lowest.set(hour, Math.min(price, lowest.get(hour) ?? price));
  });
  return lowest;
}
