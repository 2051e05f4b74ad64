import type { RankingMetric } from '../../core/metric.ts';
import { medianOf } from '../../core/percentile.ts';
import type { MarketOffersRequest } from '../newest/newest-offers-request.ts';
import { type MarketsRanks, rankAllOf } from './market-rankings.ts';
import type { UnrankedOffers } from './rankings.ts';
import { readOutliers } from './sorted-ranking.ts';

export const groupings = ['gpuName', 'country'] as const;
export type Grouping = (typeof groupings)[number];

/** Ranked offers with the same group; values are of the ranking's metric. */
export interface RankingGroup {
  /** All its offers are of this market. */
  market: string;
  /** null: not grouped by it. */
  gpuName: string | null;
  /** null: not grouped by it, or the market did not say. */
  country: string | null;
  offers: number;
  gpus: number;
  machines: number;
  min: number;
  /** The lowest value of an offer whose price is no outlier; null: there is none. */
  lowest: number | null;
  median: number;
  max: number;
  /** The cheapest offer, as ranked. */
  best: { rank: number; offerId: number; listingId: number };
}

export interface GroupedRanking {
  by: RankingMetric;
  groups: RankingGroup[];
  unranked: UnrankedOffers[];
}

/**
 * Groups ranked newest offers of each market by model, country or both, with value ranges; the cheapest offer's group
 * first. Ranks are those of all markets together.
 */
export async function groupNewestOffers(
  deps: Parameters<typeof readOutliers>[0],
  requests: readonly MarketOffersRequest[],
  asked: RankingMetric,
  by: readonly Grouping[],
): Promise<GroupedRanking | 'superseded'> {
  const [ranks, isOutlier] = await Promise.all([
    rankAllOf(deps, requests, asked),
    readOutliers(deps, requests),
  ]);
  if (ranks === 'superseded') return ranks;
  return { by: ranks.by, unranked: ranks.unranked, groups: groupsOf(ranks, by, isOutlier) };
}

function groupsOf(
  { valued }: MarketsRanks,
  by: readonly Grouping[],
  isOutlier: (of: MarketsRanks['valued'][number]) => boolean,
): RankingGroup[] {
  const rankOf = new Map(valued.map((each, index) => [each, index + 1]));
  const keyOf = ({ market, offer }: MarketsRanks['valued'][number]) =>
    JSON.stringify([market, ...by.map((name) => offer[name] ?? '')]);
  return [...Map.groupBy(valued, keyOf).values()].flatMap((members) => {
    const [best] = members;
    if (best === undefined) return [];
    const { market, offer } = best;
    return [
      {
        market,
        gpuName: by.includes('gpuName') ? offer.gpuName : null,
        country: by.includes('country') ? offer.country : null,
        offers: members.length,
        gpus: members.reduce((sum, { offer: { numGpus } }) => sum + numGpus, 0),
        machines: new Set(members.map(({ offer: { machineId } }) => machineId)).size,
        min: best.value,
        lowest: members.find((member) => !isOutlier(member))?.value ?? null,
        median: medianOf(members.map(({ value }) => value)) ?? best.value,
        max: members.at(-1)?.value ?? best.value,
        best: { rank: rankOf.get(best) ?? 0, offerId: offer.offerId, listingId: offer.listingId },
      },
    ];
  });
}
