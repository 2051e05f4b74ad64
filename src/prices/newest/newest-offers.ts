import type { NewestBook } from '../../books/newest-books.sql.ts';
import type { RankingMetric } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { Sql } from '../../database/connection.ts';
import type { OutlierTest, Series } from '../verdicts/segment-medians.ts';
import { type BookOffer, type BookOffersQuery, listBookOffers } from './offers.sql.ts';

/** Selects offers of newest books. */
export interface BooksRequest extends Omit<BookOffersQuery, 'bookIds'> {
  marketId: number;
  scopeId: number;
  /** The newest books of the requested types. */
  books: readonly NewestBook[];
  /** The newest books of the scope whose history judges the offers. @default these books */
  history?: { scopeId: number; books: readonly NewestBook[] };
}

export interface NewestOffersRequest extends BooksRequest {
  /** Offers on earlier pages. */
  skip: number;
  limit: number;
}

/** A saved selection of offers, such as a watch. */
export interface OfferChoice {
  name: string;
  /** Names of its markets. */
  markets: readonly string[];
  types: readonly PricingType[];
  rankBy: RankingMetric;
  /** Returns its offers of one market and type with room for the disk; null: there is no book yet. */
  request: (of: { market: string; type: PricingType; diskGb: number }) => Promise<BooksRequest | null>;
}

/** Returns the outlier test of a series at a moment. */
export type OutlierTests = (series: Series, at: Date) => Promise<OutlierTest>;

/** null: the segment has no median, as before the first complete book. */
export type Flagged<T> = T & { isOutlier: boolean | null };

/**
 * Returns offers of the newest books by model and price per GPU, each flagged if its price is an outlier. `superseded`:
 * a newer book has replaced some offers since the request was read; read it again.
 */
export async function listNewestOffers(
  { sql, outlierTests }: { sql: Sql; outlierTests: OutlierTests },
  request: NewestOffersRequest,
): Promise<{ items: Flagged<BookOffer>[]; more: boolean } | 'superseded'> {
  const { books, gpuNames, filter, profile, skip, limit } = request;
  const bookIds = books.map((book) => book.id);
  const [{ rows, held }, tests] = await Promise.all([
    listBookOffers(sql, { bookIds, gpuNames, filter, profile }, { skip, limit: limit + 1 }),
    outlierTestsOf(outlierTests, request),
  ]);
  if (held < books.reduce((sum, book) => sum + book.offers, 0)) return 'superseded';
  const items = rows
    .slice(0, limit)
    .map((row) => ({ ...row, isOutlier: tests.get(row.type)?.(row) ?? null }));
  return { items, more: rows.length > limit };
}

/** Returns each newest book's outlier test by type; without a complete book there is no history. */
async function outlierTestsOf(
  outlierTests: OutlierTests,
  { books, marketId, scopeId }: Pick<NewestOffersRequest, 'books' | 'marketId' | 'scopeId'>,
): Promise<Map<PricingType, OutlierTest>> {
  const tests = new Map<PricingType, OutlierTest>();
  for (const { type, observedAt, verdict } of books) {
    if (verdict === 'complete') tests.set(type, await outlierTests({ marketId, scopeId, type }, observedAt));
  }
  return tests;
}
