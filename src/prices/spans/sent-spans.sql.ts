import type { TrendMetric, UsageProfile } from '../../core/metric.ts';
import type { PricingType } from '../../core/offer.ts';
import type { OfferFilter } from '../../core/offer-filter.ts';
import type { SentArray } from './sent-array.ts';

export interface SpansRequest {
  marketId: number;
  scopeId: number;
  type: PricingType;
  /** null: all. */
  gpuModelIds: readonly number[] | null;
  /** The value of each span. */
  metric: TrendMetric;
  profile: UsageProfile;
  /** @default none */
  filter?: OfferFilter;
  /** Whether spans include their listing's ordinal and host. @default false */
  withListings?: boolean;
  /** Whether spans include listing id, base price and listed price. @default false */
  withOffers?: boolean;
}

/** What the database sends about some listings: presence, price intervals and attributes in force, each in its own columns. */
export type SentSpans = Record<
  | 'listing'
  | 'model'
  | 'numGpus'
  | 'machine'
  | 'ordinal'
  | 'firstAt'
  | 'lastAt'
  | 'runListing'
  | 'validFrom'
  | 'validTo'
  | 'base'
  | 'storage'
  | 'down'
  | 'up'
  | 'dayListing'
  | 'day'
  | 'until'
  | 'tier'
  | 'passes'
  | 'host'
  | 'divisor'
  | 'gpuIds',
  SentArray
>;
