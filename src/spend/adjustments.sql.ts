import type { Db } from '../database/connection.ts';
import { withParameters } from '../database/sql-text.ts';
import type { ClosedMonth } from './closings.sql.ts';
import { entriesSql } from './entries.sql.ts';
import { partsSql } from './parts.sql.ts';
import type { SpendBasis, SpendCategory } from './spend-grouping.ts';

/** An entry that was added or changed its amount after its month was closed. */
export interface Adjustment {
  month: string;
  closedAt: Date;
  entryId: string;
  category: SpendCategory;
  basis: SpendBasis;
  change: 'added' | 'changed' | 'disappeared';
  start: Date;
  type: string | null;
  source: string | null;
  service: string | null;
  /** US dollars that the month counted at its close, counts now, and the difference. */
  closedUsd: string;
  amountUsd: string;
  adjustmentUsd: string;
  /** When its last change was seen. */
  seenAt: Date;
}

/**
 * Returns every entry that counts differently in a closed month than at its close, by month and start. Leaves out
 * estimates, which charges replace by design.
 */
export async function listAdjustments(
  db: Db,
  scope: { marketId: number; timeZone: string; asOf: Date },
  months: readonly ClosedMonth[],
): Promise<Adjustment[]> {
  const lists: Adjustment[][] = [];
  for (const month of months) {
    if (month.closedAt < scope.asOf) lists.push(await adjustmentsOf(db, scope, month));
  }
  return lists.flat();
}

async function adjustmentsOf(
  db: Db,
  { marketId, timeZone, asOf: now }: { marketId: number; timeZone: string; asOf: Date },
  { month, from, to, closedAt }: ClosedMonth,
): Promise<Adjustment[]> {
  const sql = withParameters(db);
  // Only entries with a later version, or open at the close, can count differently.
  const touched = sql`select v.entry_id from billing_version v join billing_entry e on e.id = v.entry_id
    where e.market_id = ${marketId} and e.start_at < ${to} and ((v.seen_from > ${closedAt} and v.seen_from <= ${now})
      or (v.seen_to > ${closedAt} and v.seen_to <= ${now})
      or (e.kind = 'charge' and coalesce(v.item_end_at, v.end_at) is null and v.seen_to > ${closedAt}))`;
  const monthAt = (at: Date) => {
    const entries = entriesSql(sql, { marketId, asOf: at, touches: { from, to }, onlyEntries: touched });
    return sql`select entry_no, category, basis, start_at, type, source, service, sum(part_usd) as usd
      from (${partsSql(sql, entries, { marketId, from, to, timeZone, asOf: at })}) as part group by 1, 2, 3, 4, 5, 6, 7`;
  };
  const either = (column: string) => db`coalesce(n.${db(column)}, c.${db(column)})`;
  const rows = await db<Omit<Adjustment, 'month' | 'closedAt'>[]>`
    select ${either('entry_no')}::text as "entryId", ${either('category')} as category, ${either('basis')} as basis,
      case when c.usd is null then 'added' when n.usd is null then 'disappeared' else 'changed' end as change,
      ${either('start_at')} as start, ${either('type')} as type, ${either('source')} as source,
      ${either('service')} as service,
      trim_scale(coalesce(c.usd, 0))::text as "closedUsd", trim_scale(coalesce(n.usd, 0))::text as "amountUsd",
      trim_scale(coalesce(n.usd, 0) - coalesce(c.usd, 0))::text as "adjustmentUsd",
      (select max(case when v.seen_to <= ${now} then v.seen_to else v.seen_from end) from billing_version v
        where v.entry_id = ${either('entry_no')} and v.seen_from <= ${now}) as "seenAt"
    from (${monthAt(closedAt)}) c full join (${monthAt(now)}) n on n.entry_no = c.entry_no
    where coalesce(n.usd, 0) <> coalesce(c.usd, 0)
    order by 5, ${either('entry_no')}`;
  return rows.map((row) => ({ month, closedAt, ...row }));
}
