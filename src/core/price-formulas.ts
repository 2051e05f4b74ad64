import { type Metric, type MetricSpec, metrics, type UsageProfile } from './metric.ts';
import type { NumberField } from './offer-columns.ts';

const hoursPerMonth = 720;

/** Price components of an offer; NaN: the market did not say. */
export interface PriceParts {
  baseUsdPerHour: number;
  storageUsdPerGbMonth: number;
  inetDownUsdPerGb: number;
  inetUpUsdPerGb: number;
}

/** $/hour of the whole offer with `storageGb`; NaN where a component is unknown. Source: docs/meaning.md#prices-and-metrics. */
export const offerUsdPerHour = (
  parts: Pick<PriceParts, 'baseUsdPerHour' | 'storageUsdPerGbMonth'>,
  storageGb: number,
): number => parts.baseUsdPerHour + (parts.storageUsdPerGbMonth * storageGb) / hoursPerMonth;

/** All-in $/hour of a usage profile; NaN where a component is unknown. Source: docs/meaning.md#prices-and-metrics. */
export function offerAllInUsdPerHour(
  parts: PriceParts,
  { storageGb, downGb, upGb, runningHours, stoppedHours }: UsageProfile,
): number {
  const disk = ((parts.storageUsdPerGbMonth * storageGb) / hoursPerMonth) * (runningHours + stoppedHours);
  const down = parts.inetDownUsdPerGb * downGb;
  const up = parts.inetUpUsdPerGb * upGb;
  return (parts.baseUsdPerHour * runningHours + disk + down + up) / runningHours;
}

/** Makes the value of a metric from price components and its divisor; NaN: the offer has none. */
export function createMetric(
  metric: Metric,
  profile: UsageProfile,
): (parts: PriceParts, divisor: number) => number {
  const { storageGb } = profile;
  // Nothing is divided by nothing.
  return metrics[metric].price === 'allIn'
    ? (parts, divisor) => (divisor === 0 ? Number.NaN : offerAllInUsdPerHour(parts, profile) / divisor)
    : (parts, divisor) => (divisor === 0 ? Number.NaN : offerUsdPerHour(parts, storageGb) / divisor);
}

/** What a metric divides the price by; 1: by nothing, NaN: the market did not say. */
export function divisorOf(metric: Metric, read: (field: NumberField) => number): number {
  const { per }: MetricSpec = metrics[metric];
  return per.reduce((product, { field, over = 1 }) => product * (read(field) / over), 1);
}

/** The formula of a metric in words, with the numbers of the profile. */
export function formulaOf(metric: Metric, profile: UsageProfile): string {
  const { storageGb, downGb, upGb, runningHours, stoppedHours } = profile;
  const { price, per }: MetricSpec = metrics[metric];
  const words =
    price === 'hourly'
      ? `baseUsdPerHour + storageUsdPerGbMonth × ${storageGb} / ${hoursPerMonth}`
      : [
          `(baseUsdPerHour × ${runningHours}`,
          `+ storageUsdPerGbMonth × ${storageGb} / ${hoursPerMonth} × ${runningHours + stoppedHours}`,
          `+ inetDownUsdPerGb × ${downGb} + inetUpUsdPerGb × ${upGb}) / ${runningHours}`,
        ].join(' ');
  if (per.length === 0) return words;
  const divisor = per
    .map(({ field, over }) => (over === undefined ? field : `${field} / ${over}`))
    .join(' × ');
  return `(${words}) / ${per.length > 1 ? `(${divisor})` : divisor}`;
}
