import type { PricingType } from '../../core/offer.ts';
import type { Places } from '../../core/offer-columns.ts';
import { listedStorageGb, usdPerHour } from '../../core/price.ts';
import { utcDayNumber } from '../../core/utc-day.ts';
import type { Db } from '../../database/connection.ts';
import { isOutlier } from '../../prices/verdicts/segment-medians.ts';
import {
  type SegmentPrice,
  segmentPrices,
  segmentPricesAt,
} from '../../prices/verdicts/segment-prices.sql.ts';
import type { ArrangedOffer } from './offer-table.ts';

const dayMs = 86_400_000;
const windowDays = 30;
const maxCached = 200;

type Medians = ReadonlyMap<string, number>;

/** Reads the medians of a series at the beginning of a book's UTC day. */
export type UsualPrices = (
  db: Db,
  series: { marketId: number; scopeId: number; type: PricingType },
  observedAt: Date,
) => Promise<Medians>;

/**
 * Returns a reader that caches the last days: the medians of the 30 days before a book's UTC day are fixed for that
 * day, so that a rule judges a book the same at any time.
 */
export function createUsualPrices(): UsualPrices {
  const kept = new Map<string, Promise<Medians>>();
  return async (db, series, observedAt) => {
    const day = utcDayNumber(observedAt);
    const key = `${series.scopeId} ${series.type} ${day}`;
    const known = kept.get(key);
    if (known !== undefined) return await known;
    const reading = segmentPrices(db, series, { at: endOfDayBefore(day), days: windowDays }).then(mediansOf);
    kept.set(key, reading);
    reading.catch(() => kept.delete(key));
    const [oldest] = kept.keys();
    if (kept.size > maxCached && oldest !== undefined) kept.delete(oldest);
    return await reading;
  };
}

/** Returns the same for books of a past and some models (null: all): all its days are read at once. */
export function createPastUsualPrices(
  { from, to }: { from: Date; to: Date },
  gpuNames: readonly string[] | null,
): UsualPrices {
  const days = Array.from(
    { length: utcDayNumber(to) - utcDayNumber(from) + 1 },
    (_, index) => utcDayNumber(from) + index,
  );
  const kept = new Map<string, Promise<Medians[]>>();
  return async (db, series, observedAt) => {
    const key = `${series.scopeId} ${series.type}`;
    let reading = kept.get(key);
    if (reading === undefined) {
      const asked = { moments: days.map(endOfDayBefore), days: windowDays, gpuNames };
      reading = segmentPricesAt(db, series, asked).then((prices) => prices.map(mediansOf));
      kept.set(key, reading);
    }
    const medians = (await reading)[utcDayNumber(observedAt) - utcDayNumber(from)];
    if (medians === undefined) throw new Error(`${observedAt.toISOString()} is outside of the past`);
    return medians;
  };
}

const endOfDayBefore = (day: number): Date => new Date(day * dayMs - 1);
const mediansOf = (rows: readonly SegmentPrice[]): Medians =>
  new Map(rows.map((row) => [segmentOf(row), row.medianUsdPerGpuHour]));

/** What outliers are found by; entry i of each column is offer i. */
export interface ListedPrices {
  /** Type and segment. */
  groups: readonly { type: PricingType; segment: string }[];
  /** $/GPU-hour with the listed 8 GB; NaN: unknown. */
  prices: Float64Array;
}

/** Returns the columns of some offers. */
export const listedPricesOf = (offers: readonly ArrangedOffer[]): ListedPrices => ({
  groups: offers.map((offer) => ({ type: offer.type, segment: segmentOf(offer) })),
  prices: Float64Array.from(offers, (offer) => listedPrice(offer) ?? Number.NaN),
});

/** Returns the usual price of each offer's segment, $/GPU-hour; NaN: there is none yet. */
export const usualPricesOf = (
  { groups }: ListedPrices,
  usual: ReadonlyMap<PricingType, Medians>,
): Float64Array =>
  Float64Array.from(groups, ({ type, segment }) => usual.get(type)?.get(segment) ?? Number.NaN);

/** The offers of one book, and which of them are missing in it. */
interface BookPlaces {
  places: Places;
  missing: Uint8Array;
}

/**
 * Returns 1 for each outlier of a book: compared with the usual price of its segment (`usual`), or with the book's own
 * median if there is none yet.
 */
export function findOutliers(listed: ListedPrices, book: BookPlaces, usual: Float64Array): Uint8Array {
  const { groups, prices } = listed;
  const found = new Uint8Array(prices.length);
  let inBook: ReturnType<typeof mediansInBook> | null = null;
  for (const place of book.places) {
    let median = usual[place] as number;
    if (Number.isNaN(median)) {
      inBook ??= mediansInBook(listed, book);
      median = inBook.get(keyOf(groups[place])) ?? Number.NaN;
    }
    if (isOutlier(prices[place] as number, median) === true) found[place] = 1;
  }
  return found;
}

/** The median of the listed prices of each type and segment. */
function mediansInBook(
  { groups, prices }: ListedPrices,
  { places, missing }: BookPlaces,
): Map<string, number> {
  const known = [...places].filter((place) => !Number.isNaN(prices[place]) && missing[place] === 0);
  const ofGroups = Map.groupBy(known, (place) => keyOf(groups[place]));
  const pricesOf = (own: readonly number[]) => own.map((place) => prices[place] as number);
  return new Map([...ofGroups].map(([key, own]) => [key, medianOf(pricesOf(own).sort((a, b) => a - b))]));
}

const keyOf = (group: ListedPrices['groups'][number] | undefined): string =>
  `${group?.type}|${group?.segment}`;

/** $/GPU-hour with the listed 8 GB; null: unknown. */
export function listedPrice(offer: ArrangedOffer): number | null {
  const price = usdPerHour(offer, listedStorageGb);
  return price === null ? null : price / offer.numGpus;
}

const segmentOf = (of: { gpuName: string; verification: string | null }): string =>
  `${of.gpuName}|${of.verification ?? ''}`;

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle] ?? 0, sorted[middle] ?? 0];
  return (low + high) / 2;
}
