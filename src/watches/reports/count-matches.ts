import type { Sql } from '../../database/connection.ts';
import type { BooksRequest } from '../../prices/newest/newest-offers.ts';
import type { PriceCache } from '../../prices/newest/newest-offers-cache.ts';
import { rankAll } from '../../prices/rankings/rankings.ts';
import { typesOfWatch, type Watch } from '../watch.ts';
import { requestsOfWatch, type WatchBooks } from '../watch-books.ts';
import { matchingDays } from '../watch-matches.sql.ts';
import type { WatchCounts } from './report.ts';

const dayMs = 86_400_000;

/** The current matches of a watch in one market. */
export interface MarketMatches extends WatchCounts {
  market: string;
  /** null: there is no book yet. */
  observedAt: Date | null;
  bookVerdict: 'complete' | 'partial' | null;
}

/** The current matches of a watch, in total and by market. */
export interface WatchMatches extends Omit<MarketMatches, 'market'> {
  markets: MarketMatches[];
  /** All matching listings, including those beyond the page. */
  listingIds: ReadonlySet<string>;
}

/**
 * Counts matches in each market's newest book, and the days with a matching complete book among the 30 days before the
 * newest of them.
 */
export async function countMatches(
  sources: Pick<PriceCache, 'currentOffers'> & { sql: Sql },
  watch: Watch,
): Promise<WatchMatches> {
  const requests = await requestsOfWatch(sources.sql, watch);
  const to = new Date(Math.max(...requests.map((request) => momentOf(request).getTime())));
  const found = await Promise.all(requests.map((request) => matchesOf(sources, watch, request, to)));
  const markets = watch.markets.map(
    (market): MarketMatches =>
      found.find((each) => each.counts.market === market)?.counts ?? noMatches(market),
  );
  const moments = markets.flatMap(({ observedAt }) => observedAt?.getTime() ?? []);
  const sum = (of: 'offers' | 'gpus' | 'machines') => markets.reduce((all, each) => all + each[of], 0);
  return {
    observedAt: moments.length === 0 ? null : new Date(Math.min(...moments)),
    bookVerdict: moments.length === 0 ? null : worst(markets.map(({ bookVerdict }) => bookVerdict)),
    offers: sum('offers'),
    gpus: sum('gpus'),
    machines: sum('machines'),
    daysOfLast30: new Set(found.flatMap(({ days }) => days)).size,
    markets,
    listingIds: new Set(found.flatMap(({ listingIds }) => listingIds)),
  };
}

const noMatches = (market: string): MarketMatches => ({
  market,
  observedAt: null,
  bookVerdict: null,
  offers: 0,
  gpus: 0,
  machines: 0,
  daysOfLast30: 0,
});

const worst = (verdicts: readonly (string | null)[]): 'complete' | 'partial' =>
  verdicts.includes('partial') ? 'partial' : 'complete';

async function matchesOf(
  sources: Pick<PriceCache, 'currentOffers'> & { sql: Sql },
  watch: Watch,
  request: WatchBooks,
  to: Date,
): Promise<{ counts: MarketMatches; days: string[]; listingIds: string[] }> {
  const ranks = await untilStanding(sources.sql, watch, [request], async ([asked]) =>
    asked === undefined ? 'superseded' : await rankAll(sources, asked, watch.rankBy),
  );
  const offers = ranks === null ? [] : ranks.valued.map(({ offer }) => offer);
  const without = ranks?.unranked.filter(({ reason }) => reason !== 'blocked') ?? [];
  const days = await matchingDays(sources.sql, {
    marketId: request.marketId,
    scopeId: request.history.scopeId,
    types: typesOfWatch(watch.filters),
    gpuNames: request.gpuNames,
    filter: request.filter,
    storageGb: request.profile.storageGb,
    from: new Date(to.getTime() - 30 * dayMs),
    to,
  });
  return {
    counts: {
      market: request.market,
      observedAt: momentOf(request),
      bookVerdict: worst(request.books.map(({ verdict }) => verdict)),
      offers: offers.length + without.reduce((sum, each) => sum + each.offers, 0),
      gpus: offers.reduce((sum, { numGpus }) => sum + numGpus, 0),
      machines: new Set(offers.map(({ machineId }) => machineId)).size,
      daysOfLast30: days.length,
    },
    days,
    listingIds: offers.map(({ listingId }) => String(listingId)),
  };
}

/**
 * Reads a watch's newest books, again if a newer one lands meanwhile; only of the markets in `first`. null: none is
 * left.
 */
export async function untilStanding<T>(
  sql: Sql,
  watch: Watch,
  first: readonly WatchBooks[],
  read: (requests: readonly WatchBooks[]) => Promise<T | 'superseded'>,
): Promise<T | null> {
  const markets = first.map(({ market }) => market);
  let requests = first;
  for (let attempt = 0; requests.length > 0 && attempt < 10; attempt += 1) {
    const answer = await read(requests);
    if (answer !== 'superseded') return answer;
    requests = (await requestsOfWatch(sql, watch)).filter(({ market }) => markets.includes(market));
  }
  return null;
}

/** Returns the moment of the oldest of its books; with several types each has its own. */
export const momentOf = ({ books }: Pick<BooksRequest, 'books'>): Date =>
  new Date(Math.min(...books.map(({ observedAt }) => observedAt.getTime())));
