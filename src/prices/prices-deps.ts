import type { BooksDeps } from '../books/books-deps.ts';
import type { Market } from '../books/markets.sql.ts';
import type { PricingType } from '../core/offer.ts';
import type { PriceCache } from './newest/newest-offers-cache.ts';
import type { OutlierTest, Series } from './verdicts/segment-medians.ts';

/** Cached contents and outlier tests of the newest books. */
export type SharedPriceCache = PriceCache & {
  outlierTests: (series: Series, at: Date) => Promise<OutlierTest>;
};

/** Returns how many books the schedule should have made in the range so far; null: the schedule does not cover it. */
export type ExpectedBooks = (
  market: Market,
  type: PricingType,
  range: { from: Date; to: Date },
) => Promise<number | null>;

/** Dependencies of the routes of prices. */
export interface PricesDeps extends BooksDeps, SharedPriceCache {
  /** @default no schedule covers any range */
  expectedBooks?: ExpectedBooks;
}
