import { type CrawlScope, defaultScope, narrowScope } from '../core/crawl-scope.ts';
import { defaultRanking, type RankingMetric, type UsageProfile } from '../core/metric.ts';
import type { PricingType } from '../core/offer.ts';
import type { OfferFilter } from '../core/offer-filter.ts';

type Conditions = { -readonly [Name in keyof OfferFilter]?: NonNullable<OfferFilter[Name]> };

/** The conditions that a watch sets; one that is absent sets none. Source: docs/api.md#filters. */
export interface WatchFilters extends Conditions {
  /** As the market spells them; absent: all. */
  gpuName?: readonly string[];
  /** Absent: `on-demand`. */
  type?: readonly PricingType[];
}

/** When a watch gets its own book: a cron expression by the clocks of a time zone. */
export interface WatchSchedule {
  cron: string;
  timeZone: string;
}

/** What a person keeps an eye on. Source: docs/meaning.md#watches-and-reports. */
export interface WatchFields {
  /** No other watch of its market has it. */
  name: string;
  filters: WatchFilters;
  profile: UsageProfile;
  rankBy: RankingMetric;
  /** Offers in a report. */
  top: number;
  schedule: WatchSchedule;
  /** Where its reports go, and alerts of rules that name no channels. */
  channelIds: readonly string[];
  /** When its report goes to the channels; null: never by itself. */
  reportSchedule: WatchSchedule | null;
}

export interface Watch extends WatchFields {
  id: string;
  /** Its market's name. */
  market: string;
}

/** What a watch is where nothing else is said; the time zone is the program's. */
export const watchDefaults = { rankBy: defaultRanking, top: 10, cron: '*/10 * * * *' } as const;

/** What the watch's books cover: the models that it names, else the whole rentable market. */
export function scopeOfWatch({ gpuName = [] }: WatchFilters): CrawlScope {
  return gpuName.length === 0 ? defaultScope : narrowScope(gpuName);
}

/** The pricing types that the watch looks at. */
export const typesOfWatch = ({ type = [] }: WatchFilters): readonly PricingType[] =>
  type.length === 0 ? ['on-demand'] : type;
