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
  /** What each span's value is. */
  metric: TrendMetric;
  profile: UsageProfile;
  /** @default none */
  filter?: OfferFilter;
  /** Whether spans say which listing of its machine they are of, and whose host. @default false */
  withListings?: boolean;
}

/** What the database sends: presence, price intervals and attributes in force, each in columns of its own. */
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
