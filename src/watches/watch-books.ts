import { findScope, type NewestBook, newestBooks } from '../books/newest-books.sql.ts';
import { noFilter } from '../core/offer-filter.ts';
import type { Sql } from '../database/connection.ts';
import type { BooksRequest, OfferChoice } from '../prices/newest/newest-offers.ts';
import { typesOfWatch, type Watch } from './watch.ts';
import { findPlacedWatch, type WatchPlace, watchPlaces } from './watches.sql.ts';

/** A watch's request for the newest books of one of its markets. */
export interface WatchBooks extends BooksRequest {
  /** Name of the market. */
  market: string;
}

/** Returns the newest books of a watch, market by market in its order; a market without a book is left out. */
export async function requestsOfWatch(sql: Sql, watch: Watch): Promise<WatchBooks[]> {
  const places = await watchPlaces(sql, watch.id);
  const requests = await Promise.all(places.map((place) => requestOfPlace(sql, watch, place)));
  return requests.filter((request) => request !== null);
}

/**
 * Returns the newest books of a watch in one market: of its own scope there or the whole market, whichever has the newer
 * complete ones. null: no book yet.
 */
async function requestOfPlace(
  sql: Sql,
  { filters, profile }: Pick<Watch, 'filters' | 'profile'>,
  { market, marketId, scopeId: ownId }: WatchPlace,
): Promise<WatchBooks | null> {
  const types = typesOfWatch(filters);
  const whole = await findScope(sql, marketId);
  const scopeIds = [...new Set([ownId, ...(whole === null ? [] : [whole])])];
  const choices = await Promise.all(
    scopeIds.map(async (scopeId) => {
      const books = (await newestBooks(sql, scopeId)).filter(({ type }) => types.includes(type));
      return { scopeId, books };
    }),
  );
  const [best] = choices
    .filter(({ books }) => books.length > 0)
    .sort((a, b) => rankOf(b.books) - rankOf(a.books));
  if (best === undefined) return null;
  const { gpuName: gpuNames = [], type: _, ...conditions } = filters;
  return {
    market,
    marketId,
    scopeId: best.scopeId,
    books: best.books,
    gpuNames,
    profile,
    filter: { ...noFilter, ...conditions },
  };
}

/** Complete books come before partial ones, then newer before older. */
const rankOf = (books: readonly NewestBook[]): number =>
  Math.min(
    ...books.map(({ verdict, observedAt }) => observedAt.getTime() + (verdict === 'complete' ? 1e15 : 0)),
  );

/** Returns the offers that a rent by watch chooses from; null: no watch has this id. */
export async function findWatchChoice(sql: Sql, id: string): Promise<OfferChoice | null> {
  const watch = await findPlacedWatch(sql, id);
  if (watch === null) return null;
  const { name, markets, rankBy, filters, profile, places } = watch;
  return {
    name,
    markets,
    types: typesOfWatch(filters),
    rankBy,
    request: async ({ market, type, diskGb }) => {
      const place = places.find((each) => each.market === market);
      if (place === undefined) return null;
      const minDiskGb = Math.max(filters.minDiskGb ?? 0, diskGb);
      const asked = { ...filters, type: [type], minDiskGb };
      return await requestOfPlace(sql, { filters: asked, profile: { ...profile, storageGb: diskGb } }, place);
    },
  };
}
