import type postgres from 'postgres';
import type { UsageProfile } from '../../core/metric.ts';
import type { Db } from '../../database/connection.ts';

/** All-in $/hour of a job, null where any price component is unknown: semantics.md, Prices. */
export function allInUsdPerHour(db: Db, profile: UsageProfile): postgres.Fragment {
  const { storageGb, downGb, upGb, runningHours, stoppedHours } = profile;
  const diskHours = runningHours + stoppedHours;
  return db`((base_usd_per_hour * ${runningHours}::float8
    + storage_usd_per_gb_month * ${storageGb}::float8 / 720 * ${diskHours}::float8
    + inet_down_usd_per_gb * ${downGb}::float8
    + inet_up_usd_per_gb * ${upGb}::float8) / ${runningHours}::float8)`;
}
