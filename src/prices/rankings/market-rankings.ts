import { defaultMetric, type RankingMetric } from '../../core/metric.ts';
import type { MarketOffersRequest } from '../newest/newest-offers-request.ts';
import {
  byRank,
  canRankBy,
  type RankedOffer,
  rankAll,
  rankNewestOffers,
  type UnrankedOffers,
  type ValuedOffer,
} from './rankings.ts';

/** A ranking over the newest books of markets; each offer states its own. */
export interface MarketsRanking {
  by: RankingMetric;
  items: (RankedOffer & { market: string })[];
  unranked: UnrankedOffers[];
  /** Number of ranked offers, on all pages. */
  total: number;
  more: boolean;
}

/**
 * Ranks the offers of all markets together. If only some markets state dlperf, the ranking uses it and counts offers of
 * the others as not ranked; if none does, it ranks by price per GPU.
 */
export async function rankMarkets(
  deps: Parameters<typeof rankNewestOffers>[0],
  requests: readonly MarketOffersRequest[],
  asked: RankingMetric,
): Promise<MarketsRanking | 'superseded'> {
  const { skip = 0, limit = 0 } = requests[0] ?? {};
  const books = requests.flatMap((request) => request.books);
  const by = (await canRankBy(deps, books, asked)) ? asked : defaultMetric;
  const rankings = await Promise.all(
    requests.map(async (request) => {
      // One market's own page is enough; with several, any of them may fill the whole page.
      const page = requests.length === 1 ? { skip, limit } : { skip: 0, limit: skip + limit };
      return await rankNewestOffers(deps, { ...request, ...page }, by, { fallsBack: false });
    }),
  );
  const ranked = rankings.filter((ranking) => ranking !== 'superseded');
  if (ranked.length < rankings.length) return 'superseded';
  const named = ranked.map(({ items }, index) =>
    items.map((item) => ({ ...item, market: requests[index]?.market ?? '' })),
  );
  const unranked = sumByReason(ranked.flatMap((ranking) => ranking.unranked));
  const total = ranked.reduce((sum, ranking) => sum + ranking.total, 0);
  if (requests.length === 1) {
    return { by, unranked, total, items: named.flat(), more: ranked.some(({ more }) => more) };
  }
  const all = named.flat().sort((a, b) => byRank({ offer: a, value: a.value }, { offer: b, value: b.value }));
  return {
    by,
    unranked,
    total,
    items: all.slice(skip, skip + limit).map((item, index) => ({ ...item, rank: skip + index + 1 })),
    more: all.length > skip + limit || ranked.some(({ more }) => more),
  };
}

/** All offers of markets that fit and have the figure, in the order of `rankMarkets`, and counts of the others. */
export interface MarketsRanks {
  by: RankingMetric;
  valued: (ValuedOffer & { market: string })[];
  unranked: UnrankedOffers[];
}

/** Returns the whole ranking, without verdicts. */
export async function rankAllOf(
  deps: Parameters<typeof rankAll>[0],
  requests: readonly MarketOffersRequest[],
  asked: RankingMetric,
): Promise<MarketsRanks | 'superseded'> {
  const books = requests.flatMap((request) => request.books);
  const by = (await canRankBy(deps, books, asked)) ? asked : defaultMetric;
  const ranks = await Promise.all(
    requests.map((request) => rankAll(deps, request, by, { fallsBack: false })),
  );
  const ranked = ranks.filter((each) => each !== 'superseded');
  if (ranked.length < ranks.length) return 'superseded';
  const named = ranked.flatMap(({ valued }, index) =>
    valued.map((each) => ({ ...each, market: requests[index]?.market ?? '' })),
  );
  return { by, valued: named.sort(byRank), unranked: sumByReason(ranked.flatMap((each) => each.unranked)) };
}

function sumByReason(counts: readonly UnrankedOffers[]): UnrankedOffers[] {
  const byReason = Map.groupBy(counts, ({ reason }) => reason);
  return [...byReason]
    .map(([reason, each]) => ({ reason, offers: each.reduce((sum, { offers }) => sum + offers, 0) }))
    .sort((a, b) => b.offers - a.offers || (a.reason < b.reason ? -1 : 1));
}
