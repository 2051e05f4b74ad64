import { type CrawlScope, defaultScope, narrowScope } from '../core/crawl-scope.ts';
import { defaultRanking, type RankingMetric, type UsageProfile } from '../core/metric.ts';
import type { PricingType } from '../core/offer.ts';
import type { OfferFilter } from '../core/offer-filter.ts';

type Conditions = { -readonly [Name in keyof OfferFilter]?: NonNullable<OfferFilter[Name]> };

/** The conditions of a watch; an absent one is not set. Source: docs/api.md#filters. */
export interface WatchFilters extends Conditions {
  /** As the market spells them; absent: all. */
  gpuName?: readonly string[];
  /** Absent: `on-demand`. */
  type?: readonly PricingType[];
}

/** When a watch gets its own book: a cron expression in the clocks of a time zone. */
export interface WatchSchedule {
  cron: string;
  timeZone: string;
}

/** A saved search. Source: docs/meaning.md#watches-and-reports. */
export interface WatchFields {
  /** Unique in each of its markets. */
  name: string;
  filters: WatchFilters;
  profile: UsageProfile;
  rankBy: RankingMetric;
  /** Number of offers in a report. */
  top: number;
  schedule: WatchSchedule;
  /** Where its reports go, and alerts of rules without channels. */
  channelIds: readonly string[];
  /** When its report is sent to the channels; null: only on request. */
  reportSchedule: WatchSchedule | null;
}

export interface Watch extends WatchFields {
  id: string;
  /** Name of its first market. */
  market: string;
  /** Names of all its markets, the first one first. */
  markets: readonly string[];
}

/** Defaults of a watch; the time zone is the program's. */
export const watchDefaults = { rankBy: defaultRanking, top: 10, cron: '*/10 * * * *' } as const;

/** Returns the scope of the watch's books: the models that it names, else the whole rentable market. */
export function scopeOfWatch({ gpuName = [] }: WatchFilters): CrawlScope {
  return gpuName.length === 0 ? defaultScope : narrowScope(gpuName);
}

/** Returns the pricing types that the watch reads. */
export const typesOfWatch = ({ type = [] }: WatchFilters): readonly PricingType[] =>
  type.length === 0 ? ['on-demand'] : type;
