import type { TrendMetric, UsageProfile } from './metric.ts';

/** Price components of an offer; NaN: the market did not say. */
export interface PriceParts {
  baseUsdPerHour: number;
  storageUsdPerGbMonth: number;
  inetDownUsdPerGb: number;
  inetUpUsdPerGb: number;
}

/** $/hour of the whole offer with `storageGb`; NaN where a component is unknown. Source: semantics.md, Prices. */
export const offerUsdPerHour = (parts: PriceParts, storageGb: number): number =>
  parts.baseUsdPerHour + (parts.storageUsdPerGbMonth * storageGb) / 720;

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
      return allIn(parts, profile);
  }
}

function allIn(
  parts: PriceParts,
  { storageGb, downGb, upGb, runningHours, stoppedHours }: UsageProfile,
): number {
  const disk = ((parts.storageUsdPerGbMonth * storageGb) / 720) * (runningHours + stoppedHours);
  const traffic = parts.baseUsdPerHour * runningHours + disk + parts.inetDownUsdPerGb * downGb;
  return (traffic + parts.inetUpUsdPerGb * upGb) / runningHours;
}
