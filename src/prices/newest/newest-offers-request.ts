import type { Context } from 'hono';
import type { z } from 'zod';
import { chooseMarket, requireKnownModels } from '../../books/choose-market.ts';
import { findScope, type NewestBook, newestBooks } from '../../books/newest-books.sql.ts';
import { placeByNumber, readCursor, writeCursor } from '../../core/http/cursor.ts';
import { ApiProblem } from '../../core/http/problem.ts';
import {
  filterParams,
  marketParam,
  pageParams,
  profileParams,
  readFilter,
  readProfile,
  readTypes,
  seriesParams,
} from '../../core/http/query.ts';
import type { PricesDeps } from '../prices-deps.ts';
import type { NewestOffersRequest } from './newest-offers.ts';

/** What the lists of the newest book take. */
export const newestOffersParams = {
  ...marketParam,
  ...seriesParams,
  ...filterParams,
  ...profileParams,
  ...pageParams,
};

const maxAttempts = 5;

type Asked = z.output<z.ZodObject<typeof newestOffersParams>>;

/** The head of a list of the newest book; with several types the older book and the worse verdict count. */
export interface BookHead {
  /** null: the market has no book of these types. */
  observedAt: string | null;
  bookVerdict: 'complete' | 'partial' | null;
}

/**
 * The page of the newest books that a request means; null: there is no book. Throws a 409 when a book has
 * landed since the first page: half of one book and half of another would be neither.
 */
async function readNewestOffersRequest(
  c: Context,
  deps: PricesDeps,
  asked: Asked,
): Promise<NewestOffersRequest | null> {
  const { gpuName: gpuNames = [], limit } = asked;
  const types = readTypes(asked.type);
  const place = readCursor(c, placeByNumber);
  const market = await chooseMarket(deps, asked.market);
  await requireKnownModels(deps, market.id, gpuNames);
  const scopeId = await findScope(deps.sql, market.id);
  if (scopeId === null) return null;
  const books = (await newestBooks(deps.sql, scopeId)).filter((book) => types.includes(book.type));
  if (books.length === 0) return null;
  if (place !== null && String(place.books) !== String(idsOf(books))) {
    throw new ApiProblem(
      409,
      'book-changed',
      'A newer book has landed since the first page: begin again without `cursor`.',
    );
  }
  const skip = place === null ? 0 : Number(place.after);
  const profile = readProfile(asked);
  return { marketId: market.id, scopeId, books, gpuNames, filter: readFilter(asked), profile, skip, limit };
}

/**
 * What `work` makes of the request, which is read again when a newer book has landed in between. null: there is
 * no book.
 */
export async function withNewestBooks<Result>(
  c: Context,
  deps: PricesDeps,
  asked: Asked,
  work: (request: NewestOffersRequest) => Promise<Result | 'superseded'>,
): Promise<{ request: NewestOffersRequest; result: Result } | null> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const request = await readNewestOffersRequest(c, deps, asked);
    if (request === null) return null;
    const result = await work(request);
    if (result !== 'superseded') return { request, result };
  }
  throw new ApiProblem(503, 'book-changed', 'Books land faster than they can be read: ask again.');
}

/** The cursor of the page after this one; null: there is none. */
export const nextOffersCursor = (
  c: Context,
  { books, skip, limit }: NewestOffersRequest,
  more: boolean,
): string | null => (more ? writeCursor(c, { after: skip + limit, books: idsOf(books) }) : null);

/** The head that answers state. */
export function bookHead(books: readonly NewestBook[]): BookHead {
  if (books.length === 0) return { observedAt: null, bookVerdict: null };
  const observedAt = new Date(Math.min(...books.map((book) => book.observedAt.getTime()))).toISOString();
  const bookVerdict = books.every((book) => book.verdict === 'complete') ? 'complete' : 'partial';
  return { observedAt, bookVerdict };
}

const idsOf = (books: readonly NewestBook[]): number[] => books.map((book) => book.id);
