import type { Status, StoredMarket } from './api.ts';

/** Several markets, which are compared, or one, or none: the configured one. */
export const namedMarkets = (query: URLSearchParams): string[] => [...new Set(query.getAll('market'))];

/** The markets that a query is of, of those there are. */
export function shownMarkets(query: URLSearchParams, markets: readonly StoredMarket[]): StoredMarket[] {
  const named = namedMarkets(query);
  return markets.filter(({ name, isDefault }) => (named.length === 0 ? isDefault : named.includes(name)));
}

/** The markets to choose from, those with a book and the configured one; empty where there is no choice. */
export function choosableMarkets(markets: readonly StoredMarket[]): StoredMarket[] {
  const found = markets.filter(({ isDefault, newestBooks }) => isDefault || newestBooks.length > 0);
  return found.length > 1 ? found : [];
}

/** What a query's markets list, and their newest books; of the configured one the status says so. */
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

/** The parameters of a read of everything that is kept of the markets to choose from; empty: of the configured one. */
export const everyMarket = (markets: readonly StoredMarket[] | null): string =>
  choosableMarkets(markets ?? [])
    .map(({ name }) => `&market=${encodeURIComponent(name)}`)
    .join('');

/** What a choice of markets is in the address: none where the configured one is chosen alone. */
export function marketChanges(names: readonly string[], markets: readonly StoredMarket[]) {
  const isDefault = names.length === 1 && markets.some((each) => each.isDefault && each.name === names[0]);
  return { market: isDefault ? null : names };
}

/** The market to name in links and requests: that of what is shown, where the address names any; else null. */
export const linkedMarket = (query: URLSearchParams, market: string): string | null =>
  query.has('market') ? market : null;
