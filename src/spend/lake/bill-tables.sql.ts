import { type SqlText, sqlText as sql } from '../../database/sql-text.ts';
import { columnsOf } from '../../exports/export-column.ts';
import { type LakeQuery, type LakeScope, lakeQuery } from '../../exports/lake/lake-query.ts';
import { rowDaysSql } from '../../prices/lake/day-axis.sql.ts';
import { entriesSql } from '../entries.sql.ts';
import { partsSql } from '../parts.sql.ts';

/** Amounts have up to 24 decimals and 14 digits before them. */
const scale = 24;

/** Charged entries alone: estimates change until they are charged. */
const charged = ({ marketId }: LakeScope): SqlText =>
  sql`select id from billing_entry where market_id = ${marketId}`;

const always = { from: new Date('1970-01-01T00:00:00Z'), to: new Date('2200-01-01T00:00:00Z') };
const between = (from: string, to: string) => ({
  from: new Date(`${from}T00:00:00Z`),
  to: new Date(`${to}T00:00:00Z`),
});

function billsSql(scope: LakeScope, starts: typeof always): string {
  const { marketId, asOf } = scope;
  const entries = entriesSql(sql, { marketId, asOf, starts, onlyEntries: charged(scope) });
  return sql`
    select (start_at at time zone 'UTC')::date as day, entry_id, kind, category, start_at, end_at, type, source, service,
      description, item_description, amount_usd, charge_usd, gpu_name, num_gpus, machine_id, pricing_type, disk_gb,
      instance_id, own_label as label, label as market_label, rented_by, cost_center, invoice_id, first_seen_at,
      disappeared_at
    from (${entries}) as entry`.text;
}

/** Every invoice and item of a charge, by the day it starts. */
export const billsTable: LakeQuery = lakeQuery({
  name: 'bills',
  about: 'one row an invoice or item of a charge, as known now, on the day it starts',
  scale,
  columns: columnsOf({
    entry_id: 'text',
    kind: 'text',
    category: 'text',
    start_at: 'moment',
    end_at: 'moment',
    type: 'text',
    source: 'text',
    service: 'text',
    description: 'text',
    item_description: 'text',
    amount_usd: 'usd',
    charge_usd: 'usd',
    gpu_name: 'text',
    num_gpus: 'integer',
    machine_id: 'integer',
    pricing_type: 'text',
    disk_gb: 'number',
    instance_id: 'integer',
    label: 'text',
    market_label: 'text',
    rented_by: 'text',
    cost_center: 'text',
    invoice_id: 'integer',
    first_seen_at: 'moment',
    disappeared_at: 'moment',
  }),
  daysSql: (scope) => rowDaysSql(billsSql(scope, always)),
  rowsSql: (scope, from, to) =>
    `${billsSql(scope, between(from, to))} order by day, start_at, kind, entry_id`,
});

function spendSql(scope: LakeScope, touches: typeof always): string {
  const { marketId, asOf } = scope;
  const entries = entriesSql(sql, { marketId, asOf, touches, onlyEntries: charged(scope) });
  const parts = partsSql(sql, entries, { marketId, asOf, timeZone: 'UTC', ...touches });
  return sql`
    select day, entry_id, kind, category, part_from as from_at, part_to as to_at, part_usd as amount_usd, service, type,
      source, gpu_name, num_gpus, machine_id, pricing_type, instance_id, own_label as label, rented_by, cost_center
    from (${parts}) as part`.text;
}

/** The same by the UTC days that it covers, as sums of spend count it. */
export const spendTable: LakeQuery = lakeQuery({
  name: 'spend',
  about:
    'one row an entry of `bills` and UTC day that it covers, with the part of its amount that the day has',
  scale,
  columns: columnsOf({
    entry_id: 'text',
    kind: 'text',
    category: 'text',
    from_at: 'moment',
    to_at: 'moment',
    amount_usd: 'usd',
    service: 'text',
    type: 'text',
    source: 'text',
    gpu_name: 'text',
    num_gpus: 'integer',
    machine_id: 'integer',
    pricing_type: 'text',
    instance_id: 'integer',
    label: 'text',
    rented_by: 'text',
    cost_center: 'text',
  }),
  daysSql: (scope) => rowDaysSql(spendSql(scope, always)),
  rowsSql: (scope, from, to) => `${spendSql(scope, between(from, to))} order by day, from_at, kind, entry_id`,
});
