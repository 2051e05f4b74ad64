import type { PricingType } from '../../core/offer.ts';
import type { Verification } from '../../core/offer-fields.ts';
import type { Db } from '../../database/connection.ts';
import { segmentPrices, seriesVersion } from './segment-prices.sql.ts';

export interface Series {
  marketId: number;
  scopeId: number;
  type: PricingType;
}

/** An offer's segment and its $/GPU/hour at the listed 8 GB; null price: unknown. */
export interface PricedOffer {
  gpuName: string;
  verification: Verification | null;
  listedUsdPerGpuHour: number | null;
}

/** Detects outlier prices of one series; null: the segment has no median yet, or the offer no price. */
export interface OutlierTest {
  (offer: PricedOffer): boolean | null;
  /** The segment's 30-day median, $/GPU/hour; null: it has none. */
  usual: (of: Omit<PricedOffer, 'listedUsdPerGpuHour'>) => number | null;
}

/** Outliers are above the usual price times this, or below its inverse. Source: docs/meaning.md#outlier-prices. */
const outlierFactor = 4;
/** Days whose median is the usual price. */
export const outlierDays = 30;

/**
 * Creates `outlierTest(series, at)`, which compares with the segment's (type, model, verification) median over covering
 * books of the 30 days that end with the book at `at`, inclusive. Medians of a series are cached until one of its books
 * lands.
 */
export function createOutlierTests(sql: Db): (series: Series, at: Date) => Promise<OutlierTest> {
  const known = new Map<string, { version: string; medians: Promise<Map<string, number>> }>();
  return async (series, at) => {
    const key = `${series.scopeId} ${series.type}`;
    const version = `${await seriesVersion(sql, series)} ${at.toISOString()}`;
    let entry = known.get(key);
    if (entry === undefined || entry.version !== version) {
      entry = { version, medians: readMedians(sql, series, at) };
      known.set(key, entry);
      entry.medians.catch(() => known.delete(key));
    }
    const medians = await entry.medians;
    const usual: OutlierTest['usual'] = (of) => medians.get(segmentOf(of)) ?? null;
    return Object.assign((offer: PricedOffer) => isOutlier(offer.listedUsdPerGpuHour, usual(offer)), {
      usual,
    });
  };
}

/** Returns whether an offer's price was an outlier at a moment; reads its model alone. null: unknown. */
export async function isOutlierAt(
  sql: Db,
  series: Series,
  at: Date,
  { gpuName, verification, listedUsdPerGpuHour }: PricedOffer,
): Promise<boolean | null> {
  const rows = await segmentPrices(sql, series, { at, days: outlierDays, gpuNames: [gpuName] });
  const own = rows.find((row) => row.verification === verification);
  return isOutlier(listedUsdPerGpuHour, own?.medianUsdPerGpuHour ?? null);
}

/** Whether a price is below a quarter or above four times the usual one; null: either is unknown. */
export function isOutlier(price: number | null, usual: number | null): boolean | null {
  if (price === null || usual === null) return null;
  return price < usual / outlierFactor || price > usual * outlierFactor;
}

async function readMedians(sql: Db, series: Series, at: Date): Promise<Map<string, number>> {
  const rows = await segmentPrices(sql, series, { at, days: outlierDays });
  return new Map(rows.map((row) => [segmentOf(row), row.medianUsdPerGpuHour]));
}

const segmentOf = (of: { gpuName: string; verification: string | null }): string =>
  `${of.gpuName}|${of.verification ?? ''}`;
