import { type Metric, type MetricSpec, metrics, type UsageProfile } from './metric.ts';
import type { NumberField } from './offer-columns.ts';

const hoursPerMonth = 720;

/** Price components of an offer; NaN: the market did not state it. */
export interface PriceParts {
  baseUsdPerHour: number;
  storageUsdPerGbMonth: number;
  inetDownUsdPerGb: number;
  inetUpUsdPerGb: number;
}

/**
 * Returns $/hour of the whole offer with `storageGb`; NaN if a component is unknown.
 * Source: docs/meaning.md#prices-and-metrics.
 */
export const offerUsdPerHour = (
  parts: Pick<PriceParts, 'baseUsdPerHour' | 'storageUsdPerGbMonth'>,
  storageGb: number,
): number => parts.baseUsdPerHour + (parts.storageUsdPerGbMonth * storageGb) / hoursPerMonth;

/**
 * Returns all-in $/hour of a usage profile; NaN if a component is unknown. Source: docs/meaning.md#prices-and-metrics.
 */
export function offerAllInUsdPerHour(
  parts: PriceParts,
  { storageGb, downGb, upGb, runningHours, stoppedHours }: UsageProfile,
): number {
  const disk = ((parts.storageUsdPerGbMonth * storageGb) / hoursPerMonth) * (runningHours + stoppedHours);
  const down = parts.inetDownUsdPerGb * downGb;
  const up = parts.inetUpUsdPerGb * upGb;
  return (parts.baseUsdPerHour * runningHours + disk + down + up) / runningHours;
}

interface PriceFormula {
  of: (parts: PriceParts, profile: UsageProfile) => number;
  /** The formula in words, with the numbers of the profile. */
  words: (profile: UsageProfile) => string;
  /** The components that it needs, and the message for an offer without one. */
  needs: readonly { part: keyof PriceParts; missing: string }[];
}

const storage = { part: 'storageUsdPerGbMonth', missing: 'no storage price' } as const;

/** Prices behind metrics; `price-figures.sql.ts` has them in SQL. Source: docs/meaning.md#prices-and-metrics. */
export const priceFormulas: Record<MetricSpec['price'], PriceFormula> = {
  hourly: {
    of: (parts, { storageGb }) => offerUsdPerHour(parts, storageGb),
    words: ({ storageGb }) => `baseUsdPerHour + storageUsdPerGbMonth × ${storageGb} / ${hoursPerMonth}`,
    needs: [storage],
  },
  allIn: {
    of: offerAllInUsdPerHour,
    words: ({ storageGb, downGb, upGb, runningHours, stoppedHours }) =>
      [
        `(baseUsdPerHour × ${runningHours}`,
        `+ storageUsdPerGbMonth × ${storageGb} / ${hoursPerMonth} × ${runningHours + stoppedHours}`,
        `+ inetDownUsdPerGb × ${downGb} + inetUpUsdPerGb × ${upGb}) / ${runningHours}`,
      ].join(' '),
    needs: [
      storage,
      { part: 'inetDownUsdPerGb', missing: 'no download price' },
      { part: 'inetUpUsdPerGb', missing: 'no upload price' },
    ],
  },
};

/** Creates a function of price components and divisor that returns a metric; NaN: the offer has none. */
export function createMetric(
  metric: Metric,
  profile: UsageProfile,
): (parts: PriceParts, divisor: number) => number {
  const { of } = priceFormulas[metrics[metric].price];
  // There is no price per zero units.
  return (parts, divisor) => (divisor === 0 ? Number.NaN : of(parts, profile) / divisor);
}

/** Returns the divisor of a metric; 1 if it has none, NaN: the market did not state it. */
export function divisorOf(metric: Metric, read: (field: NumberField) => number): number {
  const { per }: MetricSpec = metrics[metric];
  return per.reduce((product, { field, over = 1 }) => product * (read(field) / over), 1);
}

/** Returns the formula of a metric in words, with the numbers of the profile. */
export function formulaOf(metric: Metric, profile: UsageProfile): string {
  const { price, per }: MetricSpec = metrics[metric];
  const words = priceFormulas[price].words(profile);
  if (per.length === 0) return words;
  const divisor = per
    .map(({ field, over }) => (over === undefined ? field : `${field} / ${over}`))
    .join(' × ');
  return `(${words}) / ${per.length > 1 ? `(${divisor})` : divisor}`;
}
