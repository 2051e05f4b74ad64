import type { NewestBook } from '../../books/newest-books.sql.ts';
import type { RankingMetric, UsageProfile } from '../../core/metric.ts';
import { allInUsdPerHour, usdPerHour } from '../../core/price.ts';
import type { MarketOffersRequest } from '../newest/newest-offers-request.ts';
import type { Series } from '../verdicts/segment-medians.ts';
import { preferredDays } from '../verdicts/verdict-words.ts';
import { percentileInPool } from '../verdicts/verdicts.ts';
import { type MarketsRanking, type MarketsRanks, rankAllOf, rankMarkets } from './market-rankings.ts';
import { isByRank, type RankingOrder, type SortKey, sortByKey, tierPlace } from './ranking-order.ts';
import { createPresenter, type RankedOffer } from './rankings.ts';

type Dependencies = Parameters<typeof rankMarkets>[0];
type Valued = MarketsRanks['valued'][number];
type Ranked = Valued & { rank: number };
type IsOutlier = (of: Valued) => boolean;
type PercentileOf = (of: Ranked) => number | null;

/** Ranks the offers of all markets together and lists them in the requested order. */
export async function listRanking(
  deps: Dependencies,
  requests: readonly MarketOffersRequest[],
  asked: RankingMetric,
  order: RankingOrder,
): Promise<MarketsRanking | 'superseded'> {
  if (isByRank(order)) return await rankMarkets(deps, requests, asked);
  const ranks = await rankAllOf(deps, requests, asked);
  if (ranks === 'superseded') return ranks;
  const { by, valued, unranked } = ranks;
  const { skip = 0, limit = 0, profile } = requests[0] ?? {};
  const ranked = valued.map((each, index): Ranked => ({ ...each, rank: index + 1 }));
  const percentileOf: PercentileOf =
    order.sort === 'verdict' ? await readPercentiles(deps, requests) : () => null;
  const isOutlier: IsOutlier = order.outliersLast ? await readOutliers(deps, requests) : () => false;
  const sorted = sortByKey(ranked, {
    keyOf: (each) => sortKey(each, order.sort, profile, percentileOf),
    isLast: (each) =>
      (order.deverifiedLast && each.offer.verification === 'deverified') ||
      (order.endingLast && endsEarly(each, profile)) ||
      isOutlier(each),
    order: order.order,
  });
  const presenters = new Map(
    await Promise.all(
      requests.map(async (request) => [request.market, await createPresenter(deps, request)] as const),
    ),
  );
  const items = sorted.slice(skip, skip + limit).flatMap((each): (RankedOffer & { market: string })[] => {
    const present = presenters.get(each.market);
    return present === undefined ? [] : [{ ...present(each, each.rank), market: each.market }];
  });
  return { by, items, unranked, total: sorted.length, more: sorted.length > skip + limit };
}

/** Whether a host ends an offer before the hours of a usage profile are over; false where the market does not say. */
const endsEarly = ({ offer: { maxDurationHours } }: Valued, profile: UsageProfile | undefined): boolean =>
  maxDurationHours !== null && profile !== undefined && maxDurationHours < profile.runningHours;

function sortKey(
  each: Ranked,
  sort: RankingOrder['sort'],
  profile: UsageProfile | undefined,
  percentileOf: PercentileOf,
): SortKey {
  const { offer, rank, market } = each;
  const price = () => (profile === undefined ? null : usdPerHour(offer, profile.storageGb));
  switch (sort) {
    case 'rank':
      return rank;
    case 'market':
      return market;
    case 'verdict':
      return percentileOf(each);
    case 'verification':
      return tierPlace(offer.verification);
    case 'usdPerHour':
      return price();
    case 'usdPerGpuHour': {
      const usd = price();
      return usd === null ? null : usd / offer.numGpus;
    }
    case 'allInUsdPerHour':
      return profile === undefined ? null : allInUsdPerHour(offer, profile);
    default:
      return offer[sort];
  }
}

/** Reads something of each complete book and returns what finds it for an offer; undefined: its book is not complete. */
async function readOfBooks<T>(
  requests: readonly MarketOffersRequest[],
  read: (series: Series, book: NewestBook) => Promise<T>,
): Promise<(of: Valued) => T | undefined> {
  const complete = requests.flatMap(({ market, marketId, scopeId, books }) =>
    books
      .filter(({ verdict }) => verdict === 'complete')
      .map(async (book) => {
        const found = await read({ marketId, scopeId, type: book.type }, book);
        return [`${market}|${book.type}`, found] as const;
      }),
  );
  const known = new Map(await Promise.all(complete));
  return ({ market, offer }) => known.get(`${market}|${offer.type}`);
}

/** Returns what tells whether an offer's price is an outlier; false also where that is unknown. */
export async function readOutliers(
  deps: Dependencies,
  requests: readonly MarketOffersRequest[],
): Promise<IsOutlier> {
  const testOf = await readOfBooks(requests, (series, book) => deps.outlierTests(series, book.observedAt));
  return (of) => testOf(of)?.(of.offer) === true;
}

/** Returns what tells the percentile of an offer's price; null: its history is too short or its book not complete. */
async function readPercentiles(
  deps: Dependencies,
  requests: readonly MarketOffersRequest[],
): Promise<PercentileOf> {
  const poolsOf = await readOfBooks(requests, (series, book) => deps.poolsAt(deps.sql, series, book));
  return (of) => {
    const { offer } = of;
    const own = poolsOf(of);
    const price = offer.listedUsdPerGpuHour;
    if (own === undefined || price === null) return null;
    for (const days of preferredDays) {
      const percentile = percentileInPool(own, offer, price, days);
      if (percentile !== null) return percentile;
    }
    return null;
  };
}
