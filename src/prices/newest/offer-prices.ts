import { medianOf } from '../../core/percentile.ts';
import type { CurrentOffer } from './offers.sql.ts';

/** Prices of a model in a newest book, $/GPU/hour at 8 GB. */
export interface OfferPrices {
  /** null: no offer has a price. */
  median: number | null;
  /** The lowest price that is not an outlier; null: there is none. */
  lowest: number | null;
}

/** Returns the prices of offers of one model. Source: docs/meaning.md#outlier-prices. */
export function offerPrices(
  offers: readonly CurrentOffer[],
  isOutlier: (offer: CurrentOffer) => boolean | null,
): OfferPrices {
  const serious = pricesOf(offers.filter((offer) => isOutlier(offer) !== true));
  return {
    median: medianOf(pricesOf(offers)),
    lowest: serious.length === 0 ? null : serious.reduce((a, b) => Math.min(a, b)),
  };
}

/** Returns how far the median minimum bid is below the median, in percent of it; null: one is unknown. */
export const bidSpreadPercent = (median: number | null, bidMedian: number | null): number | null =>
  median === null || bidMedian === null ? null : (100 * (median - bidMedian)) / median;

const pricesOf = (offers: readonly CurrentOffer[]): number[] =>
  offers.map(({ listedUsdPerGpuHour }) => listedUsdPerGpuHour).filter((price) => price !== null);
