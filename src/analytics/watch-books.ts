import type { Sql } from '../db/connection.ts';
import { findScope, type NewestBook, newestBooks } from '../db/market-view.ts';
import { findMarket } from '../db/markets.ts';
import { watchScope } from '../db/watches.ts';
import { noFilter, type OfferFilter } from '../domain/offer-filter.ts';
import { typesOfWatch, type Watch } from '../domain/watch.ts';

/** What a watch asks of the newest books: a request as rankings have it. */
export interface WatchRequest {
  marketId: number;
  scopeId: number;
  books: readonly NewestBook[];
  gpuNames: readonly string[];
  filter: OfferFilter;
  profile: Watch['profile'];
}

/**
 * The newest books of a watch: of its own scope or of the whole market, whichever has the newer complete ones.
 * null: there is no book yet.
 */
export async function requestOfWatch(sql: Sql, watch: Watch): Promise<WatchRequest | null> {
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
    ...{ marketId: market.id, scopeId: best.scopeId, books: best.books, gpuNames, profile: watch.profile },
    filter: { ...noFilter, ...conditions },
  };
}

/** Complete ones come before partial ones, then newer before older. */
const rankOf = (books: readonly NewestBook[]): number =>
  Math.min(
    ...books.map(({ verdict, observedAt }) => observedAt.getTime() + (verdict === 'complete' ? 1e15 : 0)),
  );
