import type { Sql } from '../db/connection.ts';
import type { NewestBook } from '../db/market-view.ts';
import { type BookOffer, type BookOffersQuery, listBookOffers } from '../db/offers.ts';
import {
  booksHaveDlperf,
  countUnranked,
  type RankedOffer,
  rankOffers,
  type UnrankedOffers,
} from '../db/rankings.ts';
import type { RankingFigure } from '../domain/metric.ts';
import type { PricingType } from '../domain/offer.ts';
import type { JokeTest, Series } from './segment-medians.ts';

export interface NewestOffersRequest extends Omit<BookOffersQuery, 'bookIds'> {
  marketId: number;
  scopeId: number;
  /** The newest books of the types asked for. */
  books: readonly NewestBook[];
  /** Offers left out at the beginning: those of the pages before. */
  skip: number;
  limit: number;
}

interface Dependencies {
  sql: Sql;
  jokeTests: (series: Series, at: Date) => Promise<JokeTest>;
}

/** null: the segment has no median, as before the first complete book. */
export type Flagged<T> = T & { joke: boolean | null };

export interface Ranking {
  /** May differ from what was asked for: by price a GPU where no offer of the books has a dlperf. */
  by: RankingFigure;
  items: Flagged<RankedOffer>[];
  unranked: UnrankedOffers[];
  more: boolean;
}

/** Offers of the newest books in their order, each flagged when its price is a joke. */
export async function rankNewestOffers(
  { sql, jokeTests }: Dependencies,
  request: NewestOffersRequest,
  asked: RankingFigure,
): Promise<Ranking> {
  const query = queryOf(request);
  const hasFigure = asked !== 'usdPerDlperfHour' || (await booksHaveDlperf(sql, query.bookIds));
  const by = hasFigure ? asked : 'usdPerGpuHour';
  const [rows, unranked, isJoke] = await Promise.all([
    rankOffers(sql, query, by, { skip: request.skip, limit: request.limit + 1 }),
    countUnranked(sql, query, by),
    jokeTestOf(jokeTests, request),
  ]);
  return { by, unranked, ...pageOf(rows, request.limit, isJoke) };
}

/** Offers of the newest books by model and price a GPU, each flagged when its price is a joke. */
export async function listNewestOffers(
  { sql, jokeTests }: Dependencies,
  request: NewestOffersRequest,
): Promise<{ items: Flagged<BookOffer>[]; more: boolean }> {
  const page = { skip: request.skip, limit: request.limit + 1 };
  const [rows, isJoke] = await Promise.all([
    listBookOffers(sql, queryOf(request), page),
    jokeTestOf(jokeTests, request),
  ]);
  return pageOf(rows, request.limit, isJoke);
}

const queryOf = ({ books, gpuNames, filter, profile }: NewestOffersRequest): BookOffersQuery => ({
  bookIds: books.map((book) => book.id),
  gpuNames,
  filter,
  profile,
});

async function jokeTestOf(
  jokeTests: Dependencies['jokeTests'],
  { books, marketId, scopeId }: NewestOffersRequest,
): Promise<(offer: BookOffer) => boolean | null> {
  const tests = new Map<PricingType, JokeTest>();
  for (const { type, observedAt, verdict } of books) {
    // Without a complete book there is no history to compare with.
    if (verdict === 'complete') tests.set(type, await jokeTests({ marketId, scopeId, type }, observedAt));
  }
  return (offer) => tests.get(offer.type)?.(offer) ?? null;
}

function pageOf<T extends BookOffer>(
  rows: readonly T[],
  limit: number,
  isJoke: (offer: BookOffer) => boolean | null,
): { items: Flagged<T>[]; more: boolean } {
  const items = rows.slice(0, limit).map((row) => ({ ...row, joke: isJoke(row) }));
  return { items, more: rows.length > limit };
}
