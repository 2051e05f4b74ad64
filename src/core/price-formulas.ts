import type { TrendMetric, UsageProfile } from './metric.ts';

const hoursPerMonth = 720;

/** Price components of an offer; NaN: the market did not say. */
export interface PriceParts {
  baseUsdPerHour: number;
  storageUsdPerGbMonth: number;
  inetDownUsdPerGb: number;
  inetUpUsdPerGb: number;
}

/** $/hour of the whole offer with `storageGb`; NaN where a component is unknown. Source: semantics.md, Prices. */
export const offerUsdPerHour = (
  parts: Pick<PriceParts, 'baseUsdPerHour' | 'storageUsdPerGbMonth'>,
  storageGb: number,
): number => parts.baseUsdPerHour + (parts.storageUsdPerGbMonth * storageGb) / hoursPerMonth;

/** The value of a metric; NaN: the offer has none. `dlperf` NaN: unknown. */
export function metricValueOf(
  metric: TrendMetric,
  parts: PriceParts,
  profile: UsageProfile,
  offer: { numGpus: number; dlperf: number },
): number {
  const price = offerUsdPerHour(parts, profile.storageGb);
  switch (metric) {
    case 'usdPerHour':
      return price;
    case 'usdPerGpuHour':
      return price / offer.numGpus;
    case 'usdPerDlperfHour':
      return offer.dlperf === 0 ? Number.NaN : price / offer.dlperf;
    case 'allInUsdPerHour':
      return offerAllInUsdPerHour(parts, profile);
  }
}

/** All-in $/hour of a job; NaN where a component is unknown. Source: semantics.md, Prices. */
export function offerAllInUsdPerHour(
  parts: PriceParts,
  { storageGb, downGb, upGb, runningHours, stoppedHours }: UsageProfile,
): number {
  const disk = ((parts.storageUsdPerGbMonth * storageGb) / hoursPerMonth) * (runningHours + stoppedHours);
  const traffic = parts.baseUsdPerHour * runningHours + disk + parts.inetDownUsdPerGb * downGb;
  return (traffic + parts.inetUpUsdPerGb * upGb) / runningHours;
}
