import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { chooseMarkets, requireKnownModels } from '../../books/choose-market.ts';
import { findScope, type NewestBook, newestBooks } from '../../books/newest-books.sql.ts';
import { placeByNumber, readCursor, writeCursor } from '../../core/http/cursor.ts';
import { ApiProblem } from '../../core/http/problem.ts';
import {
  filterParams,
  marketParam,
  marketsParam,
  pageParams,
  profileParams,
  readFilter,
  readProfile,
  readTypes,
  seriesParams,
} from '../../core/http/query.ts';
import { moment } from '../../core/http/route-parts.ts';
import type { PricesDeps } from '../prices-deps.ts';
import type { NewestOffersRequest } from './newest-offers.ts';

/** Parameters of lists of the newest books. */
export const newestOffersParams = {
  ...marketParam,
  ...seriesParams,
  ...filterParams,
  ...profileParams,
  ...pageParams,
};

/** Parameters of lists that can hold offers of several markets. */
export const comparedOffersParams = { ...newestOffersParams, ...marketsParam };

const maxAttempts = 5;

type Asked = Omit<z.output<z.ZodObject<typeof newestOffersParams>>, 'market'> & {
  market?: string | string[] | undefined;
};

/** A request for the newest books of one market. */
export interface MarketOffersRequest extends NewestOffersRequest {
  /** Name of the market. */
  market: string;
}

/** The fields that lists of the newest books start with; of several types the older book and worse verdict count. */
export interface BookHead {
  /** null: the market has no book of these types. */
  observedAt: string | null;
  bookVerdict: 'complete' | 'partial' | null;
}

/**
 * Returns the requested page of the newest books, by market; empty: there is no book. Throws a 409 if a book has landed
 * since the first page, because halves of two books would be neither.
 */
async function readMarketRequests(
  c: Context,
  deps: PricesDeps,
  asked: Asked,
): Promise<MarketOffersRequest[]> {
  const { gpuName: gpuNames = [], limit } = asked;
  const types = readTypes(asked.type);
  const place = readCursor(c, placeByNumber);
  const markets = await chooseMarkets(deps, asked.market);
  await requireKnownModels(deps, markets, gpuNames);
  const skip = place === null ? 0 : Number(place.after);
  const common = { gpuNames, filter: readFilter(asked), profile: readProfile(asked), skip, limit };
  const each = await Promise.all(
    markets.map(async ({ id: marketId, name: market }): Promise<MarketOffersRequest[]> => {
      const scopeId = await findScope(deps.sql, marketId);
      if (scopeId === null) return [];
      const books = (await newestBooks(deps.sql, scopeId)).filter((book) => types.includes(book.type));
      return books.length === 0 ? [] : [{ ...common, market, marketId, scopeId, books }];
    }),
  );
  const requests = each.flat();
  if (requests.length > 0 && place !== null && String(place.books) !== String(idsOf(requests))) {
    throw new ApiProblem(
      409,
      'book-changed',
      'A newer book has landed since the first page: start again without `cursor`.',
    );
  }
  return requests;
}

/**
 * Returns the result of `work` for the requests, one per market, which are read again if a newer book lands meanwhile.
 * null: there is no book.
 */
export async function withNewestBooksOf<Result>(
  c: Context,
  deps: PricesDeps,
  asked: Asked,
  work: (requests: readonly MarketOffersRequest[]) => Promise<Result | 'superseded'>,
): Promise<{ requests: readonly MarketOffersRequest[]; result: Result } | null> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const requests = await readMarketRequests(c, deps, asked);
    if (requests.length === 0) return null;
    const result = await work(requests);
    if (result !== 'superseded') return { requests, result };
  }
  throw new ApiProblem(503, 'book-changed', 'Books arrive faster than they can be read: try again.');
}

/** Returns the cursor of the next page; null: this is the last. */
export function nextOffersCursor(
  c: Context,
  requests: readonly MarketOffersRequest[],
  more: boolean,
): string | null {
  const [first] = requests;
  if (!more || first === undefined) return null;
  return writeCursor(c, { after: first.skip + first.limit, books: idsOf(requests) });
}

/** Schemas of `bookHead`. */
export const bookHeadFields = {
  observedAt: moment.nullable(),
  bookVerdict: z.enum(['complete', 'partial']).nullable(),
};

/** Returns the head of a response. */
export function bookHead(books: readonly NewestBook[]): BookHead {
  if (books.length === 0) return { observedAt: null, bookVerdict: null };
  const observedAt = new Date(Math.min(...books.map((book) => book.observedAt.getTime()))).toISOString();
  const bookVerdict = books.every((book) => book.verdict === 'complete') ? 'complete' : 'partial';
  return { observedAt, bookVerdict };
}

const idsOf = (requests: readonly NewestOffersRequest[]): number[] =>
  requests.flatMap(({ books }) => books.map((book) => book.id));
