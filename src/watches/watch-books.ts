import { findMarket } from '../books/markets.sql.ts';
import { findScope, type NewestBook, newestBooks } from '../books/newest-books.sql.ts';
import { noFilter } from '../core/offer-filter.ts';
import type { Sql } from '../database/connection.ts';
import type { BooksRequest, OfferChoice } from '../prices/newest/newest-offers.ts';
import { typesOfWatch, type Watch } from './watch.ts';
import { findWatch, watchScope } from './watches.sql.ts';

/**
 * Returns the newest books of a watch: of its own scope or the whole market, whichever has the newer complete ones.
 * null: no book yet.
 */
export async function requestOfWatch(sql: Sql, watch: Watch): Promise<BooksRequest | null> {
  const [market, place] = [await findMarket(sql, watch.market), await watchScope(sql, watch.id)];
  if (market === null || place === null) return null;
  const types = typesOfWatch(watch.filters);
  const whole = await findScope(sql, market.id);
  const scopeIds = [...new Set([place.scopeId, ...(whole === null ? [] : [whole])])];
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
  const { gpuName: gpuNames = [], type: _, ...conditions } = watch.filters;
  return {
    marketId: market.id,
    scopeId: best.scopeId,
    books: best.books,
    gpuNames,
    profile: watch.profile,
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
  const watch = await findWatch(sql, id);
  if (watch === null) return null;
  const { name, market, rankBy } = watch;
  return {
    name,
    market,
    types: typesOfWatch(watch.filters),
    rankBy,
    request: async ({ type, diskGb }) => {
      const minDiskGb = Math.max(watch.filters.minDiskGb ?? 0, diskGb);
      const filters = { ...watch.filters, type: [type], minDiskGb };
      return await requestOfWatch(sql, {
        ...watch,
        filters,
        profile: { ...watch.profile, storageGb: diskGb },
      });
    },
  };
}
