import { verificationTiers } from '../../core/offer-fields.ts';
import { rankingColumnNames } from './ranking-columns.ts';

/** What a ranking can be sorted by, its ranks first. */
export const sortNames = [
  'rank',
  'gpuName',
  'numGpus',
  'market',
  'machineId',
  'usdPerHour',
  'usdPerGpuHour',
  'allInUsdPerHour',
  'verdict',
  ...rankingColumnNames,
] as const;
export type SortName = (typeof sortNames)[number];

export const sortOrders = ['asc', 'desc'] as const;

/** The order in which ranked offers are listed; their ranks stay. */
export interface RankingOrder {
  sort: SortName;
  order: (typeof sortOrders)[number];
  /** Whether offers of deverified machines come after all others. */
  deverifiedLast: boolean;
  /** Whether outlier prices come after all others. */
  outliersLast: boolean;
  /** Whether offers that the host ends before the hours of the usage profile come after all others. */
  endingLast: boolean;
}

/** Whether offers are listed by rank, the first rank first. */
export const isByRank = ({ sort, order, deverifiedLast, outliersLast, endingLast }: RankingOrder): boolean =>
  sort === 'rank' && order === 'asc' && !deverifiedLast && !outliersLast && !endingLast;

/** A value to sort by; null: unknown. */
export type SortKey = number | string | null;

/** Returns the place of a verification tier among all, the most trusted first. */
export const tierPlace = (tier: (typeof verificationTiers)[number] | null): number | null =>
  tier === null ? null : verificationTiers.indexOf(tier);

const { compare: compareTexts } = new Intl.Collator('en', { numeric: true });

const compareKeys = (a: number | string, b: number | string): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(String(a), String(b));

/** Returns items by their keys: unknown ones last in both directions, equal ones as they were, and `isLast` last of all. */
export function sortByKey<T>(
  items: readonly T[],
  by: {
    keyOf: (item: T, index: number) => SortKey;
    isLast: (item: T) => boolean;
    order: RankingOrder['order'];
  },
): T[] {
  const sign = by.order === 'asc' ? 1 : -1;
  return items
    .map((item, index) => ({ item, key: by.keyOf(item, index), isLast: by.isLast(item) }))
    .sort((a, b) => {
      if (a.isLast !== b.isLast) return a.isLast ? 1 : -1;
      if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
      return sign * compareKeys(a.key, b.key);
    })
    .map(({ item }) => item);
}
