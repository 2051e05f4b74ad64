import type { PricingType } from '../../core/offer.ts';
import { listedStorageGb, usdPerHour } from '../../core/price.ts';
import type { Db } from '../../database/connection.ts';
import { isOutlier } from '../../prices/verdicts/segment-medians.ts';
import { segmentPrices } from '../../prices/verdicts/segment-prices.sql.ts';
import type { RuleOffer } from './rule-offers.sql.ts';

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
 * day, so that a rule judges a book the same at any time. `gpuNames`: only of these models, which is
 * faster; null: of all.
 */
export function createUsualPrices(gpuNames: readonly string[] | null = null): UsualPrices {
  const kept = new Map<string, Promise<Medians>>();
  return async (db, series, observedAt) => {
    const day = Math.floor(observedAt.getTime() / dayMs);
    const key = `${series.scopeId} ${series.type} ${day}`;
    const known = kept.get(key);
    if (known !== undefined) return await known;
    const at = new Date(day * dayMs - 1);
    const reading = segmentPrices(db, series, { at, days: windowDays, gpuNames }).then(
      (rows) => new Map(rows.map((row) => [segmentOf(row), row.medianUsdPerGpuHour])),
    );
    kept.set(key, reading);
    reading.catch(() => kept.delete(key));
    const [oldest] = kept.keys();
    if (kept.size > maxCached && oldest !== undefined) kept.delete(oldest);
    return await reading;
  };
}

/**
 * Whether an offer's price is an outlier: compared with the segment's median, or with the book's own if there is none
 * yet.
 */
export function createOutlierTest(
  offers: readonly RuleOffer[],
  usual: ReadonlyMap<PricingType, Medians>,
): (offer: RuleOffer) => boolean {
  const inBook = new Map<string, number>();
  const prices = new Map<string, number[]>();
  for (const offer of offers) {
    const price = listedPrice(offer);
    if (price === null || offer.missing) continue;
    const key = `${offer.type}|${segmentOf(offer)}`;
    const own = prices.get(key);
    if (own === undefined) prices.set(key, [price]);
    else own.push(price);
  }
  for (const [key, values] of prices) inBook.set(key, medianOf(values.sort((a, b) => a - b)));
  return (offer) => {
    const segment = segmentOf(offer);
    const median = usual.get(offer.type)?.get(segment) ?? inBook.get(`${offer.type}|${segment}`) ?? null;
    return isOutlier(listedPrice(offer), median) === true;
  };
}

/** $/GPU-hour with the listed 8 GB; null: unknown. */
export function listedPrice(offer: RuleOffer): number | null {
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
