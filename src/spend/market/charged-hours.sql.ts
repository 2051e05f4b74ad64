import type { PricingType } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';
import { withParameters } from '../../database/sql-text.ts';
import { entriesSql } from '../entries.sql.ts';
import { precise } from '../parts.sql.ts';
import type { SpendScope } from '../spend-grouping.ts';

/** Cost of an instance's GPUs and disk in a UTC hour in which GPUs were charged. */
export interface ChargedHour {
  instanceId: number | null;
  source: string | null;
  label: string | null;
  /** null: no list of instances stated it. */
  gpuName: string | null;
  numGpus: number | null;
  machineId: number | null;
  type: PricingType | null;
  diskGb: number | null;
  t: Date;
  /** Seconds charged for its GPUs. */
  seconds: number;
  /** US dollars of GPUs and disk, exact decimal text; the hours of a charge add up to its amount. */
  paidUsd: string;
}

/** SQL of the amount that an entry has spent by a moment; parts between moments add up to the whole exactly. */
const spentBy = (db: Db, moment: string) => db`case when ${db(moment)} = until_at then amount_usd else
  round(amount_usd * ${precise(withParameters(db))} * extract(epoch from ${db(moment)} - start_at) / extract(epoch from until_at - start_at), 12) end`;

/** Returns charged consumption in the range by instance and UTC hour, without bandwidth. */
export async function chargedHours(db: Db, { marketId, asOf, from, to }: SpendScope): Promise<ChargedHour[]> {
  const entries = entriesSql(withParameters(db), { marketId, asOf, touches: { from, to } });
  const rows = await db<ChargedHour[]>`
    with entry as (
      select * from (${entries}) as entry
      where disappeared_at is null and basis = 'charged' and kind = 'consumption' and service in ('gpu', 'disk')
        and type = 'instance' and until_at > start_at),
    part as (
      select e.*, h as t, greatest(h, e.start_at, ${from}) as part_from,
        least(h + interval '1 hour', e.until_at, ${to}) as part_to
      from entry e cross join lateral generate_series(date_trunc('hour', greatest(e.start_at, ${from})),
        least(e.until_at, ${to}), interval '1 hour') h)
    select instance_id as "instanceId", source, min(own_label) as label, min(gpu_name) as "gpuName",
      min(num_gpus) as "numGpus", min(machine_id) as "machineId", min(pricing_type::text) as type,
      min(disk_gb) as "diskGb", t,
      (sum(extract(epoch from part_to - part_from)) filter (where service = 'gpu'))::float8 as seconds,
      trim_scale(sum((${spentBy(db, 'part_to')}) - (${spentBy(db, 'part_from')})))::text as "paidUsd"
    from part where part_to > part_from group by instance_id, source, t
    having sum(extract(epoch from part_to - part_from)) filter (where service = 'gpu') > 0
    order by instance_id, source, t`;
  return rows.map((row) => ({ ...row }));
}
