import type { Db } from '../database/connection.ts';
import { withParameters } from '../database/sql-text.ts';
import { entriesSql } from './entries.sql.ts';
import { groupingValueSql } from './parts.sql.ts';
import { groupingEntries, type SpendBasis, type SpendCategory, type SpendScope } from './spend-grouping.ts';

/** An entry that overlaps a range, as known at a moment. */
export interface TouchingEntry {
  entryId: string;
  kind: 'payment' | 'consumption' | 'estimate';
  category: SpendCategory;
  basis: SpendBasis;
  start: Date;
  /** null: open or unpaid. */
  end: Date | null;
  /** Microseconds since 1970; `until` of open entries is the moment `asOf`. */
  startMicros: number;
  untilMicros: number;
  type: string | null;
  source: string | null;
  service: string | null;
  description: string | null;
  amountUsd: string;
  gpuName: string | null;
  instanceId: number | null;
  /** Set by a person. */
  label: string | null;
  /** Its value for each grouping except those by days. */
  groups: Readonly<Record<string, string | null>>;
  /** The market no longer lists it. */
  disappeared: boolean;
}

/** Returns entries that overlap the range, including disappeared ones, by start, kind and id; at most `limit`. */
export async function readTouchingEntries(
  db: Db,
  { marketId, asOf, from, to }: SpendScope,
  limit: number,
): Promise<TouchingEntry[]> {
  const sql = withParameters(db);
  const groups = groupingEntries
    .flatMap(([name, grouping]) =>
      'days' in grouping ? [] : [sql`${name}::text, ${groupingValueSql(sql, grouping, marketId)}`],
    )
    .reduce((all, pair) => sql`${all}, ${pair}`);
  const micros = (column: string) => db`(extract(epoch from ${db(column)}) * 1000000)::bigint`;
  const entries = entriesSql(sql, { marketId, asOf, touches: { from, to } });
  const rows = await db<TouchingEntry[]>`
    select entry_id as "entryId", kind, category, basis, start_at as start, end_at as "end",
      ${micros('start_at')} as "startMicros", ${micros('until_at')} as "untilMicros", type, source, service, description,
      trim_scale(amount_usd)::text as "amountUsd", gpu_name as "gpuName", instance_id as "instanceId",
      own_label as label, jsonb_build_object(${groups}) as groups,
      disappeared_at is not null as disappeared
    from (${entries}) as entry
    order by start_at, kind collate "C", entry_id collate "C" limit ${limit}`;
  return rows.map((row) => ({ ...row }));
}
