import type { PricingType } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';
import { type SqlTag, withParameters } from '../../database/sql-text.ts';
import { entriesSql } from '../entries.sql.ts';
import { sumUsd } from '../exact-sums.ts';
import { partsSql, precise } from '../parts.sql.ts';
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
  /** Seconds charged for its GPUs, and from when until when within the hour. */
  seconds: number;
  gpuFrom: Date;
  gpuUntil: Date;
  /** US dollars of GPUs and disk, exact decimal text; the hours of a charge add up to its amount. */
  paidUsd: string;
}

/** SQL of the amount that an entry has spent by a moment; parts between moments add up to the whole exactly. */
const spentBy = (db: Db, moment: string) => db`case when ${db(moment)} = until_at then amount_usd else
  round(amount_usd * ${precise(withParameters(db))} * extract(epoch from ${db(moment)} - start_at) / extract(epoch from until_at - start_at), 12) end`;

/** SQL of whether an entry is split by hour: charged GPUs and disk of an instance. */
const isByHour = <Made>(
  sql: SqlTag<Made>,
): Made => sql`basis = 'charged' and kind = 'consumption' and service in ('gpu', 'disk') and type = 'instance'
    and until_at > start_at`;

/** SQL of the parts of charged entries by UTC hour: their columns with `t`, `part_from` and `part_to`. */
const hourPartsSql = (db: Db, { marketId, asOf, from, to }: SpendScope) => db`
  with entry as (
    select * from (${entriesSql(withParameters(db), { marketId, asOf, touches: { from, to } })}) as entry
    where disappeared_at is null and ${isByHour(withParameters(db))}),
  hour_part as (
    select e.*, h as t, greatest(h, e.start_at, ${from}) as part_from,
      least(h + interval '1 hour', e.until_at, ${to}) as part_to
    from entry e cross join lateral generate_series(date_trunc('hour', greatest(e.start_at, ${from})),
      least(e.until_at, ${to}), interval '1 hour') h)
  select *, (${spentBy(db, 'part_to')}) - (${spentBy(db, 'part_from')}) as usd from hour_part where part_to > part_from`;

/** SQL of the seconds of GPUs in a group of parts; null: none. */
const gpuSeconds = (db: Db) =>
  db`sum(extract(epoch from part_to - part_from)) filter (where service = 'gpu')`;

/** Charged consumption of instances in a range, without bandwidth. */
export interface ChargedHours {
  /** By instance and UTC hour, those in which GPUs were charged. */
  hours: ChargedHour[];
  /** The rest by instance: disk while no GPU was charged. */
  diskAlone: OtherConsumption[];
}

/** Returns charged consumption in the range by instance and UTC hour. */
export async function chargedHours(db: Db, scope: SpendScope): Promise<ChargedHours> {
  const rows = await db<ChargedHour[]>`
    select instance_id as "instanceId", source, min(own_label) as label, min(gpu_name) as "gpuName",
      min(num_gpus) as "numGpus", min(machine_id) as "machineId", min(pricing_type::text) as type,
      min(disk_gb) as "diskGb", t,
      coalesce(${gpuSeconds(db)}, 0)::float8 as seconds, min(part_from) filter (where service = 'gpu') as "gpuFrom",
      max(part_to) filter (where service = 'gpu') as "gpuUntil", trim_scale(sum(usd))::text as "paidUsd"
    from (${hourPartsSql(db, scope)}) as part group by instance_id, source, t
    order by instance_id, source, t`;
  const alone = rows.filter(({ seconds }) => seconds === 0);
  return {
    hours: rows.filter(({ seconds }) => seconds > 0).map((row) => ({ ...row })),
    diskAlone: [...Map.groupBy(alone, ({ instanceId }) => instanceId)].map(([instanceId, own]) => ({
      reason: 'disk',
      instanceId,
      label: own[0]?.label ?? null,
      amountUsd: sumUsd(own.map(({ paidUsd }) => paidUsd)),
    })),
  };
}

/** Why consumption is not split into hours of GPUs. */
export const otherReasons = ['disk', 'traffic', 'volume', 'estimated', 'other'] as const;

/** Consumption of an instance that is in none of its charged hours. */
export interface OtherConsumption {
  /** `disk`: while no GPU was charged; `estimated`: not charged so far. */
  reason: (typeof otherReasons)[number];
  instanceId: number | null;
  label: string | null;
  amountUsd: string;
}

/** Returns the range's consumption that `chargedHours` leaves out, by reason and instance. */
export async function consumptionBesideHours(db: Db, scope: SpendScope): Promise<OtherConsumption[]> {
  const { marketId, asOf, from, to } = scope;
  const sql = withParameters(db);
  const entries = entriesSql(sql, { marketId, asOf, touches: { from, to } });
  const beside = sql`select * from (${entries}) as entry
    where category = 'consumption' and not coalesce(${isByHour(sql)}, false)`;
  const rows = await db<OtherConsumption[]>`
    select case when basis = 'estimated' then 'estimated' when type = 'volume' then 'volume'
        when type = 'instance' and service in ('bwd', 'bwu') then 'traffic' else 'other' end as reason,
      instance_id as "instanceId", min(own_label) as label, trim_scale(sum(part_usd))::text as "amountUsd"
    from (${partsSql(sql, beside, scope)}) as part
    group by 1, 2 having sum(part_usd) <> 0 order by 1, 2`;
  return rows.map((row) => ({ ...row }));
}
