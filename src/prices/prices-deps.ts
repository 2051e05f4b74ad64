import type { BooksDeps } from '../books/books-deps.ts';
import type { Market } from '../books/markets.sql.ts';
import type { PricingType } from '../core/offer.ts';
import type { PriceCache } from './newest/newest-offers-cache.ts';
import type { OutlierTest, Series } from './verdicts/segment-medians.ts';

/** What has been read and judged of the newest books, for all that ask. */
export type SharedPriceCache = PriceCache & {
  outlierTests: (series: Series, at: Date) => Promise<OutlierTest>;
};

/** Books that the schedule should have made in the range so far; null: it has no say there. */
export type ExpectedBooks = (
  market: Market,
  type: PricingType,
  range: { from: Date; to: Date },
) => Promise<number | null>;

/** What the routes of prices need. */
export interface PricesDeps extends BooksDeps, SharedPriceCache {
  /** @default it has no say anywhere */
  expectedBooks?: ExpectedBooks;
}
