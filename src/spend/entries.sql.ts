import type { SqlTag } from '../database/sql-text.ts';
import { plainLabelSql } from '../rentals/plain-label.sql.ts';

/** Which entries to select; start dates are inclusive, end dates exclusive. */
export interface EntryScope<Made> {
  marketId: number;
  asOf: Date;
  /** Only entries that start in it. */
  starts?: { from: Date; to: Date };
  /** Only entries that overlap it. */
  touches?: { from: Date; to: Date };
  /** Only these billing entries, as SQL that returns their numbers; estimates are left out. */
  onlyEntries?: Made;
}

/**
 * SQL for the entries as they were known at `asOf`: `entry_no` and `entry_id`, `kind` (payment, consumption,
 * estimate), `kind_no` (the same in the order of the names, quicker to sort by), `category`, `basis`, `start_at`, `end_at`
 * (null: open or unpaid), `until_at` (open ones: `asOf`), `type`, `source`, `service`, `description`, `item_description`,
 * `amount_usd`, `charge_usd`, `gpu_name`, `num_gpus`, `machine_id`, `pricing_type`, `disk_gb`, `instance_id`, `label`,
 * `rented_by`, `cost_center`, `own_label` (a person's, for sums), `invoice_id`, `first_seen_at`, `disappeared_at`.
 */
export function entriesSql<Made>(sql: SqlTag<Made>, scope: EntryScope<Made>): Made {
  const at = scope.asOf;
  // Separate queries instead of an `or`: a subquery in a condition would prevent a parallel scan.
  const inForce = sql`v.seen_to > ${at}`;
  const lastBefore = sql`v.seen_to <= ${at} and not exists (select from billing_version later
    where later.entry_id = v.entry_id and later.seen_from > v.seen_from and later.seen_from <= ${at})`;
  const bills = sql`${billsSql(sql, scope, inForce)} union all ${billsSql(sql, scope, lastBefore)}`;
  if (scope.onlyEntries !== undefined) return bills;
  return sql`${bills} union all ${materializedSql(sql, estimatesSql(sql, scope))}`;
}

/**
 * Selects for each entry the version valid at `asOf`, or, if it had disappeared by then, the last one before, as
 * `which` says. Instance details are those known at that time.
 */
function billsSql<Made>(
  sql: SqlTag<Made>,
  { marketId, asOf: at, starts, touches, onlyEntries }: EntryScope<Made>,
  which: Made,
): Made {
  const only = onlyEntries === undefined ? sql`` : sql`and e.id in (${onlyEntries})`;
  const start = sql`coalesce(v.item_start_at, v.start_at)`;
  const end = sql`coalesce(v.item_end_at, v.end_at)`;
  const starting =
    starts === undefined ? sql`` : sql`and ${start} >= ${starts.from} and ${start} < ${starts.to}`;
  const touching =
    touches === undefined
      ? sql``
      : sql`and ${start} < ${touches.to} and (${start} >= ${touches.from}
          or e.kind = 'charge' and coalesce(${end}, ${at}) > ${touches.from})`;
  return sql`select e.id as entry_no, e.id::text as entry_id,
      case e.kind when 'invoice' then 'payment' else 'consumption' end as kind,
      case e.kind when 'invoice' then 3 else 1 end as kind_no,
      case when e.kind = 'charge' then 'consumption' when v.type in ('transfer', 'refund', 'payout') then v.type
        else 'payment' end as category,
      'charged' as basis, ${start} as start_at, ${end} as end_at,
      case e.kind when 'invoice' then ${start} else coalesce(${end}, ${at}) end as until_at,
      v.type, v.source, case e.kind when 'invoice' then v.service else v.item_type end as service,
      v.description, v.item_description, v.amount_usd, v.charge_usd,
      f.gpu_name, f.num_gpus, f.machine_id, f.type as pricing_type, f.disk_space_gb as disk_gb,
      v.instance_id, v.label, coalesce(f.label, ${plainLabelSql(sql, sql`v.label`)}) as own_label, f.rented_by, f.cost_center,
      v.invoice_id, e.first_seen_at, case when v.seen_to <= ${at} then v.seen_to end as disappeared_at
    from billing_entry e join billing_version v on v.entry_id = e.id
    left join (${factsSql(sql, marketId, at)}) f on f.instance_id = v.instance_id
    where e.market_id = ${marketId} and v.seen_from <= ${at} and ${which} ${only} ${starting} ${touching}`;
}

/** SQL of what was known about each instance at a moment. */
const factsSql = <Made>(sql: SqlTag<Made>, marketId: number, at: Date): Made => sql`
  select distinct on (instance_id) * from instance_fact where market_id = ${marketId} and seen_at <= ${at}
  order by instance_id, seen_at desc`;

/**
 * Costs that are not charged yet, or never are on a market without charges: for each listed instance, the time after
 * its last charge until it was gone or `asOf`, at the listed rates; GPUs while it runs, disk as long as it exists.
 * Source: docs/decisions/0021-estimates-of-what-is-not-charged.md.
 */
function estimatesSql<Made>(
  sql: SqlTag<Made>,
  { marketId, asOf: at, starts, touches }: EntryScope<Made>,
): Made {
  const starting =
    starts === undefined ? sql`` : sql`and start_at >= ${starts.from} and start_at < ${starts.to}`;
  const touching =
    touches === undefined ? sql`` : sql`and start_at < ${touches.to} and end_at > ${touches.from}`;
  return sql`select null::bigint, 'estimate-' || instance_id || '-' || service || '-' ||
      to_char(start_at at time zone 'UTC', 'YYYYMMDD"T"HH24MISSUS"Z"'), 'estimate', 2, 'consumption', 'estimated',
      start_at, end_at, end_at, 'instance', 'instance-' || instance_id, service, 'Not charged so far',
      null::text, round(extract(epoch from end_at - start_at) * usd_per_hour / 3600, 12), null::numeric,
      gpu_name, num_gpus, machine_id, type, disk_space_gb, instance_id, label, own_label, rented_by, cost_center,
      null::bigint, first_seen_at, null::timestamptz
    from (
      select r.instance_id, f.gpu_name, f.num_gpus, f.machine_id, f.type, f.disk_space_gb, f.listed_label as label,
        i.first_seen_at, coalesce(f.label, ${plainLabelSql(sql, sql`f.listed_label`)}) as own_label, f.rented_by, f.cost_center,
        s.service, s.usd_per_hour,
        greatest(r.from_at, c.charged_to) as start_at, least(r.until_at, ${at}) as end_at
      from (
        select *, lead(from_at, 1, 'infinity') over (partition by instance_id order by from_at, seen_at) as until_at
        from instance_rate where market_id = ${marketId} and from_at <= ${at} and seen_at <= ${at}) r
      join instance i on i.market_id = ${marketId} and i.instance_id = r.instance_id and i.first_seen_at <= ${at}
      left join (${factsSql(sql, marketId, at)}) f on f.instance_id = r.instance_id
      left join lateral (
        select max(coalesce(v.item_end_at, v.end_at, ${at})) as charged_to
        from billing_version v join billing_entry e on e.id = v.entry_id
        where e.market_id = ${marketId} and v.instance_id = r.instance_id and v.seen_from <= ${at}
          and v.seen_to > ${at}) c on true
      cross join lateral (values ('gpu', case when r.computing then r.base_usd_per_hour end),
        ('disk', r.storage_usd_per_hour)) as s (service, usd_per_hour)
      where not r.gone and s.usd_per_hour > 0) as estimate
    where end_at > start_at ${starting} ${touching}`;
}

/** SQL of estimates, materialized first so that parallel workers can then read the bills. */
const materializedSql = <Made>(sql: SqlTag<Made>, estimates: Made): Made => sql`
  select * from unnest((select array_agg(estimate) from (${estimates}) as estimate)) as estimate (
    entry_no bigint, entry_id text, kind text, kind_no integer, category text, basis text, start_at timestamptz,
    end_at timestamptz, until_at timestamptz, type text, source text, service text, description text,
    item_description text, amount_usd numeric, charge_usd numeric, gpu_name text, num_gpus smallint, machine_id bigint,
    pricing_type pricing_type, disk_gb float8, instance_id bigint, label text, own_label text, rented_by text,
    cost_center text, invoice_id bigint, first_seen_at timestamptz, disappeared_at timestamptz)`;
