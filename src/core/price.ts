import { type Metric, type MetricSpec, metrics, type UsageProfile } from './metric.ts';
import type { ComparedOffer } from './offer-columns.ts';
import {
  createMetric,
  divisorOf,
  offerAllInUsdPerHour,
  offerUsdPerHour,
  type PriceParts,
  priceFormulas,
} from './price-formulas.ts';

/** The prices of an offer that metrics are computed from; null: the market did not state it. */
export interface PriceComponents {
  baseUsdPerHour: number;
  storageUsdPerGbMonth: number | null;
}

interface AllInComponents extends PriceComponents {
  inetDownUsdPerGb: number | null;
  inetUpUsdPerGb: number | null;
}

/** Storage included in listed figures, GB. Source: docs/meaning.md#prices-and-metrics. */
export const listedStorageGb = 8;

const { NaN: nan } = Number;
const known = (value: number): number | null => (Number.isNaN(value) ? null : value);

const partsOf = (offer: AllInComponents): PriceParts => ({
  baseUsdPerHour: offer.baseUsdPerHour,
  storageUsdPerGbMonth: offer.storageUsdPerGbMonth ?? nan,
  inetDownUsdPerGb: offer.inetDownUsdPerGb ?? nan,
  inetUpUsdPerGb: offer.inetUpUsdPerGb ?? nan,
});

/** Returns $/hour of the whole offer with `storageGb` GB; null: the storage price is unknown. */
export const usdPerHour = (offer: PriceComponents, storageGb: number): number | null =>
  known(offerUsdPerHour(partsOf({ ...offer, inetDownUsdPerGb: null, inetUpUsdPerGb: null }), storageGb));

/**
 * Returns all-in $/hour of a usage profile; null: a price component is unknown.
 * Source: docs/meaning.md#prices-and-metrics.
 */
export const allInUsdPerHour = (offer: AllInComponents, profile: UsageProfile): number | null =>
  known(offerAllInUsdPerHour(partsOf(offer), profile));

/** Returns the value of a metric for an offer, or what the market did not state. */
export function metricValue(
  offer: ComparedOffer,
  metric: Metric,
  profile: UsageProfile,
): { value: number } | { missing: string } {
  const divisor = divisorOf(metric, (field) => offer[field] ?? nan);
  const value = createMetric(metric, profile)(partsOf(offer), divisor);
  return Number.isNaN(value) ? { missing: missingFor(offer, metric) } : { value };
}

/** Returns which value the market did not state if an offer has no value. */
export function missingFor(offer: ComparedOffer, metric: Metric): string {
  const { price, per }: MetricSpec = metrics[metric];
  const lacking = priceFormulas[price].needs.find(({ part }) => offer[part] === null);
  return lacking?.missing ?? per.find(({ field }) => !offer[field])?.missing ?? 'no price';
}
