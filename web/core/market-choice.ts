import type { Status, StoredMarket } from './api.ts';

/** Returns the markets in a query: several to compare, one, or none for the configured one. */
export const namedMarkets = (query: URLSearchParams): string[] => [...new Set(query.getAll('market'))];

/** Returns the known markets that a query selects. */
export function shownMarkets(query: URLSearchParams, markets: readonly StoredMarket[]): StoredMarket[] {
  const named = namedMarkets(query);
  return markets.filter(({ name, isDefault }) => (named.length === 0 ? isDefault : named.includes(name)));
}

/** Returns the markets to choose from, those with a book and the configured one; empty if there is no choice. */
export function choosableMarkets(markets: readonly StoredMarket[]): StoredMarket[] {
  const found = markets.filter(({ isDefault, newestBooks }) => isDefault || newestBooks.length > 0);
  return found.length > 1 ? found : [];
}

/** Returns what a query's markets list, and their newest books; for the configured one from the status. */
export function listedBy(
  query: URLSearchParams,
  markets: readonly StoredMarket[] | null,
  status: Status | null,
): Pick<Status, 'gpuNames' | 'types'> & Pick<StoredMarket, 'newestBooks'> {
  const named = namedMarkets(query);
  const shown =
    named.length === 0 ? [status].filter((one) => one !== null) : shownMarkets(query, markets ?? []);
  return {
    gpuNames: [...new Set(shown.flatMap(({ gpuNames }) => gpuNames))],
    types: [...new Set(shown.flatMap(({ types }) => types))],
    newestBooks: shown.flatMap((market): StoredMarket['newestBooks'] => market.newestBooks),
  };
}

/** Returns the markets to name to read everything stored for those to choose from; empty: the configured one. */
export const everyMarket = (markets: readonly StoredMarket[]): string[] =>
  choosableMarkets(markets).map(({ name }) => name);

/** Returns a selection of markets as query changes: none if only the configured one is selected. */
export function marketChanges(names: readonly string[], markets: readonly StoredMarket[]) {
  const isDefault = names.length === 1 && markets.some((each) => each.isDefault && each.name === names[0]);
  return { market: isDefault ? null : names };
}

/** Returns the market for links and requests, or null if the address names none. */
export const linkedMarket = (query: URLSearchParams, market: string): string | null =>
  query.has('market') ? market : null;
