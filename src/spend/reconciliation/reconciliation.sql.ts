import type { Db } from '../../database/connection.ts';
import { withParameters } from '../../database/sql-text.ts';
import { entriesSql } from '../entries.sql.ts';
import type { SpendScope } from '../spend-grouping.ts';

/** A charge whose items do not add up to it. */
export interface UnevenCharge {
  source: string | null;
  start: Date;
  chargeUsd: string;
  itemsUsd: string;
  /** Some of its items have disappeared. */
  lacksItems: boolean;
}

/** Returns the charges that start in the range and differ from the sum of their items, by start. */
export async function unevenCharges(db: Db, scope: SpendScope): Promise<UnevenCharge[]> {
  const { marketId, asOf, from, to } = scope;
  const rows = await db<UnevenCharge[]>`
    select source, v_start as start, trim_scale(charge_usd)::text as "chargeUsd",
      trim_scale(coalesce(sum(amount_usd) filter (where disappeared_at is null), 0))::text as "itemsUsd",
      bool_or(disappeared_at is not null) as "lacksItems"
    from (select entry.*, e.start_at as v_start
      from (${entriesSql(withParameters(db), { marketId, asOf, starts: { from, to } })}) as entry
      join billing_entry e on e.id = entry.entry_no) as item
    where charge_usd is not null group by source, type, v_start, charge_usd
    having bool_or(disappeared_at is null)
      and sum(amount_usd) filter (where disappeared_at is null) <> charge_usd order by 2, 1`;
  return rows.map((row) => ({ ...row }));
}

/** The charges of an instance and its cost by the lists of instances. */
export interface LedgerLine {
  instanceId: number;
  from: Date;
  to: Date;
  chargedUsd: string;
  ledgerUsd: string;
  /** When a list first contained it; null: never. */
  listedFrom: Date | null;
  /** How often its rate or status changed; each change may be off by the time between two polls. */
  changes: number;
  /** The highest rate in that time, $/hour. */
  highestUsdPerHour: string;
  hasUnknownRates: boolean;
}

/**
 * Returns, for each instance with GPU or disk charges in the range, their sum and its cost by the listed rates and
 * statuses over the same time.
 */
export async function ledgerLines(db: Db, { marketId, asOf, from, to }: SpendScope): Promise<LedgerLine[]> {
  const rows = await db<LedgerLine[]>`
    with rate as (
      select *, lead(from_at, 1, ${asOf}) over (partition by instance_id order by from_at, seen_at) as to_at
      from instance_rate where market_id = ${marketId} and from_at <= ${asOf} and seen_at <= ${asOf}),
    item as (
      select instance_id, service, start_at, until_at, amount_usd
      from (${entriesSql(withParameters(db), { marketId, asOf, starts: { from, to } })}) as entry
      where disappeared_at is null and basis = 'charged' and kind = 'consumption' and service in ('gpu', 'disk')
        and instance_id is not null),
    compared as (
      select item.*, (
        select sum(extract(epoch from least(r.to_at, item.until_at) - greatest(r.from_at, item.start_at)) / 3600
          * case when r.gone then 0 when item.service = 'disk' then r.storage_usd_per_hour
            when r.computing then r.base_usd_per_hour else 0 end)
        from rate r where r.instance_id = item.instance_id and r.from_at < item.until_at and r.to_at > item.start_at
      ) as ledger_usd
      from item)
    select c.instance_id as "instanceId", min(start_at) as "from", max(until_at) as "to",
      trim_scale(sum(amount_usd))::text as "chargedUsd",
      trim_scale(round(coalesce(sum(ledger_usd), 0), 12))::text as "ledgerUsd",
      (select min(r.from_at) from rate r where r.instance_id = c.instance_id) as "listedFrom",
      (select count(*)::integer from rate r where r.instance_id = c.instance_id and r.from_at < max(c.until_at)
        and r.to_at > min(c.start_at)) as changes,
      (select coalesce(max(coalesce(r.base_usd_per_hour, 0) + coalesce(r.storage_usd_per_hour, 0)), 0)::text from rate r
        where r.instance_id = c.instance_id) as "highestUsdPerHour",
      exists (select from rate r where r.instance_id = c.instance_id and not r.gone
        and (r.base_usd_per_hour is null or r.storage_usd_per_hour is null)) as "hasUnknownRates"
    from compared c group by c.instance_id order by c.instance_id`;
  return rows.map((row) => ({ ...row }));
}

/** Returns the instances of the range with time that no charge covers, and what that costs by the lists. */
export async function unchargedInstances(
  db: Db,
  { marketId, asOf, from, to }: SpendScope,
): Promise<{ instanceId: number; from: Date; to: Date; estimatedUsd: string }[]> {
  const rows = await db<{ instanceId: number; from: Date; to: Date; estimatedUsd: string }[]>`
    select instance_id as "instanceId", min(start_at) as "from", max(until_at) as "to",
      trim_scale(sum(amount_usd))::text as "estimatedUsd"
    from (${entriesSql(withParameters(db), { marketId, asOf, touches: { from, to } })}) as entry
    where basis = 'estimated' group by instance_id order by 1`;
  return rows.map((row) => ({ ...row }));
}
