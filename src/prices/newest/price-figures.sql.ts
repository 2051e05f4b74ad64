import type postgres from 'postgres';
import { type Metric, type MetricSpec, metrics, type UsageProfile } from '../../core/metric.ts';
import { offerFields, type StoredField } from '../../core/offer-fields.ts';
import type { Db } from '../../database/connection.ts';

/**
 * $/hour of the whole offer with `storageGb` GB, null where the price of storage is unknown.
 * Source: docs/meaning.md#prices-and-metrics.
 * Needs the price components, unqualified.
 */
export const usdPerHour = (db: Db, storageGb: number): postgres.Fragment =>
  db`(base_usd_per_hour + storage_usd_per_gb_month * ${storageGb} / 720)`;

/** All-in $/hour of a profile, null if a component is unknown. Source: docs/meaning.md#prices-and-metrics. */
export function allInUsdPerHour(db: Db, profile: UsageProfile): postgres.Fragment {
  const { storageGb, downGb, upGb, runningHours, stoppedHours } = profile;
  const diskHours = runningHours + stoppedHours;
  return db`((base_usd_per_hour * ${runningHours}::float8
    + storage_usd_per_gb_month * ${storageGb}::float8 / 720 * ${diskHours}::float8
    + inet_down_usd_per_gb * ${downGb}::float8
    + inet_up_usd_per_gb * ${upGb}::float8) / ${runningHours}::float8)`;
}

const prices: Record<MetricSpec['price'], (db: Db, profile: UsageProfile) => postgres.Fragment> = {
  hourly: (db, { storageGb }) => usdPerHour(db, storageGb),
  allIn: allInUsdPerHour,
};

/** SQL of a metric's value, null if the offer has none; for listings (alias l) with attributes (alias `a` or `o`). */
export function metricValue(
  db: Db,
  metric: Metric,
  profile: UsageProfile,
  attributes: 'a' | 'o',
): postgres.Fragment {
  const price = prices[metrics[metric].price](db, profile);
  const divisor = divisorPart(db, metric, { listing: 'l', attribute: attributes });
  return divisor === null ? price : db`${price} / nullif(${divisor}, 0)`;
}

/** SQL of what a metric divides the price by, if stored in tables with these aliases; null: not stored there. */
export function divisorPart(
  db: Db,
  metric: Metric,
  aliases: Partial<Record<StoredField['of'], 'l' | 'a' | 'o'>>,
): postgres.Fragment | null {
  const { per }: MetricSpec = metrics[metric];
  const factors = per.flatMap(({ field, over }) => {
    const { of, column }: StoredField = offerFields[field];
    const alias = aliases[of];
    if (alias === undefined) return [];
    const value = db`${db(`${alias}.${column}`)}::float8`;
    return [over === undefined ? value : db`(${value} / ${over}::float8)`];
  });
  return factors.length === 0 ? null : factors.reduce((product, factor) => db`${product} * ${factor}`);
}
