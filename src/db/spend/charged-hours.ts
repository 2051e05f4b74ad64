import type { PricingType } from '../../domain/offer.ts';
import type { SpendScope } from '../../domain/spend.ts';
import type { Db } from '../connection.ts';
import { literal } from '../sql-literal.ts';
import { entriesSql } from './entries.ts';

/** What an instance's GPUs and disk cost in a UTC hour in which its GPUs were charged. */
export interface ChargedHour {
  instanceId: number | null;
  source: string | null;
  label: string | null;
  /** null: no list of instances said so. */
  gpuName: string | null;
  numGpus: number | null;
  machineId: number | null;
  type: PricingType | null;
  diskGb: number | null;
  t: Date;
  /** Of its GPUs. */
  seconds: number;
  /** US dollars of GPUs and disk, decimal text at 12 decimals. */
  paidUsd: string;
}

/** Charged consumption of instances in the range by UTC hour, by instance and hour; bandwidth is left out. */
export async function chargedHours(db: Db, { marketId, asOf, from, to }: SpendScope): Promise<ChargedHour[]> {
  const [begin, end] = [literal(from), literal(to)];
  const rows = await db.unsafe<ChargedHour[]>(`
    with entry as (
      select * from (${entriesSql({ marketId, asOf, touches: { from, to } })}) as entry
      where disappeared_at is null and basis = 'charged' and kind = 'consumption' and service in ('gpu', 'disk')
        and type = 'instance' and until_at > start_at),
    part as (
      select e.*, h as t, greatest(h, e.start_at, ${begin}) as part_from,
        least(h + interval '1 hour', e.until_at, ${end}) as part_to
      from entry e cross join lateral generate_series(date_trunc('hour', greatest(e.start_at, ${begin})),
        least(e.until_at, ${end}), interval '1 hour') h)
    select instance_id as "instanceId", source, min(own_label) as label, min(gpu_name) as "gpuName",
      min(num_gpus) as "numGpus", min(machine_id) as "machineId", min(pricing_type::text) as type,
      min(disk_gb) as "diskGb", t,
      (sum(extract(epoch from part_to - part_from)) filter (where service = 'gpu'))::float8 as seconds,
      trim_scale(round(sum(amount_usd * extract(epoch from part_to - part_from)
        / extract(epoch from until_at - start_at)), 12))::text as "paidUsd"
    from part where part_to > part_from group by instance_id, source, t
    having sum(extract(epoch from part_to - part_from)) filter (where service = 'gpu') > 0
    order by instance_id, source, t`);
  return rows.map((row) => ({ ...row }));
}

/** A machine that would have done as well, in the time that an instance was charged. */
export interface EqualMachine {
  machineId: number;
  usdPerHour: number;
  /** When it was offered so first within that time, and until when; null: it still is. */
  since: Date;
  until: Date | null;
}

/**
 * The first offer within a time that was equal and at least 5 % cheaper for the whole machine at that disk: same model,
 * number of GPUs and type, verification and reliability (within 0.01) not lower than the rented machine's, room for the
 * disk, not blocked. null: none was, or the rented machine was never listed. Source: semantics.md, Rules.
 */
export async function firstCheaperEqual(
  db: Db,
  ask: {
    marketId: number;
    scopeId: number;
    machineId: number;
    gpuName: string;
    numGpus: number;
    type: PricingType;
    diskGb: number;
    usdPerHour: number;
    from: Date;
    to: Date;
  },
): Promise<EqualMachine | null> {
  const { marketId, scopeId, machineId, gpuName, numGpus, type, diskGb, usdPerHour, from, to } = ask;
  const tier = (name: string) =>
    db.unsafe(`(array_position(array['deverified', 'unverified', 'verified'], ${name}))`);
  const [row] = await db<EqualMachine[]>`
    with own as (
      select a.reliability, v.name as tier
      from listing l join listing_attribute a on a.listing_id = l.id
      left join verification_tier v on v.id = a.verification_tier_id
      where l.market_id = ${marketId} and l.machine_id = ${machineId} and a.observed_at <= ${to}
      order by a.observed_at desc limit 1)
    select l.machine_id as "machineId",
      r.base_usd_per_hour + r.storage_usd_per_gb_month * ${diskGb}::float8 / 720 as "usdPerHour",
      greatest(p.first_at, r.valid_from, ${from}) as since,
      nullif(least(p.last_at, r.valid_to), 'infinity') as until
    from own
    join listing l on l.market_id = ${marketId} and l.num_gpus = ${numGpus} and l.type = ${type}
      and l.machine_id <> ${machineId}
    join gpu_model g on g.id = l.gpu_model_id and g.name = ${gpuName}
    join price_run r on r.listing_id = l.id and r.scope_id = ${scopeId} and r.valid_from < ${to} and r.valid_to > ${from}
    join presence p on p.listing_id = l.id and p.scope_id = ${scopeId} and p.first_at < least(${to}, r.valid_to)
      and p.last_at >= greatest(${from}, r.valid_from)
    join lateral (
      select a.reliability, a.disk_space_gb, a.host_id, v.name as tier
      from listing_attribute a left join verification_tier v on v.id = a.verification_tier_id
      where a.listing_id = l.id and a.valid_until is not null
        and a.day <= (greatest(p.first_at, r.valid_from, ${from}) at time zone 'UTC')::date
      order by a.day desc limit 1) a on true
    where r.base_usd_per_hour + r.storage_usd_per_gb_month * ${diskGb}::float8 / 720 <= ${usdPerHour}::float8 * 0.95
      and a.reliability >= own.reliability - 0.01 and ${tier('a.tier')} >= ${tier('own.tier')}
      and a.disk_space_gb >= ${diskGb}::float8
    order by 3, 2, 1 limit 1`;
  return row === undefined ? null : { ...row };
}
