import { countCoveredDays, findScope, type NewestBook, newestBooks } from '../books/newest-books.sql.ts';
import type { PricingType } from '../core/offer.ts';
import { noFilter } from '../core/offer-filter.ts';
import type { Sql } from '../database/connection.ts';
import type { BooksRequest, OfferChoice } from '../prices/newest/newest-offers.ts';
import { typesOfWatch, type Watch } from './watch.ts';
import { findPlacedWatch, type WatchPlace, watchPlaces } from './watches.sql.ts';

/** A watch's request for the newest books of one of its markets. */
export interface WatchBooks extends BooksRequest {
  /** Name of the market. */
  market: string;
  history: NonNullable<BooksRequest['history']>;
}

interface ScopeBooks {
  scopeId: number;
  books: readonly NewestBook[];
}

const dayMs = 86_400_000;
/** Days over which the histories of scopes are compared. */
const historyDays = 30;

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
  const found = choices.filter(({ books }) => books.length > 0);
  const [best] = found.toSorted((a, b) => rankOf(b.books) - rankOf(a.books));
  if (best === undefined) return null;
  const { gpuName: gpuNames = [], type: _, ...conditions } = filters;
  return {
    market,
    marketId,
    scopeId: best.scopeId,
    books: best.books,
    history: await longestHistory(sql, found, types),
    gpuNames,
    profile,
    filter: { ...noFilter, ...conditions },
  };
}

/** Returns the books of the scope with complete books on most days; of equals the first. */
async function longestHistory(
  sql: Sql,
  scopes: readonly ScopeBooks[],
  types: readonly PricingType[],
): Promise<ScopeBooks> {
  const [first, ...others] = scopes;
  if (first === undefined) throw new Error('no scope has a book');
  if (others.length === 0) return first;
  const to = new Date(
    Math.max(...scopes.flatMap(({ books }) => books.map((book) => book.observedAt.getTime()))),
  );
  const from = new Date(to.getTime() - historyDays * dayMs);
  const scopeIds = scopes.map(({ scopeId }) => scopeId);
  const days = await countCoveredDays(sql, { scopeIds, types, from, to });
  const daysOf = ({ scopeId }: ScopeBooks): number => days.get(scopeId) ?? 0;
  return others.reduce((best, scope) => (daysOf(scope) > daysOf(best) ? scope : best), first);
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
