import type { Db } from '../database/connection.ts';
import { type SqlTag, withParameters } from '../database/sql-text.ts';
import { entriesSql } from './entries.sql.ts';
import { groupingSql, partsSql } from './parts.sql.ts';
import type { SpendGrouping, SpendScope, SpendSum, SpendTotal } from './spend-grouping.ts';

/** Returns exact sums of a range by one or two groupings; an entry of several days counts in each day. */
export async function sumSpend(
  db: Db,
  scope: SpendScope,
  groupBy: SpendGrouping,
  stackBy: SpendGrouping | null,
): Promise<SpendSum[]> {
  const rows = await db<SpendSum[]>`${sumsSql(withParameters(db), scope, groupBy, stackBy)}`;
  return rows.map((row) => ({ ...row }));
}

/** SQL of `sumSpend`, in its order, money as text. */
export function sumsSql<Made>(
  sql: SqlTag<Made>,
  scope: SpendScope,
  groupBy: SpendGrouping,
  stackBy: SpendGrouping | null,
): Made {
  const parts = touchingParts(sql, scope);
  const subkey = stackBy === null ? sql`null::text` : groupingSql(sql, stackBy, scope.marketId);
  // Sums each entry in a group first: counting distinct entries would sort all parts.
  return sql`
    select * from (
      select key, subkey, category, basis, trim_scale(sum(usd))::text as "amountUsd", count(*)::integer as entries
      from (
        select ${groupingSql(sql, groupBy, scope.marketId)} as key, ${subkey} as subkey, category, basis, entry_id, sum(part_usd) as usd
        from (${parts}) as part group by 1, 2, 3, 4, 5) as entry_sum
      group by 1, 2, 3, 4) as sums
    order by key collate "C" nulls last, subkey collate "C" nulls last, category, basis`;
}

/** The parts of all entries that overlap the range. */
const touchingParts = <Made>(sql: SqlTag<Made>, scope: SpendScope): Made => {
  const { marketId, asOf, from, to } = scope;
  return partsSql(sql, entriesSql(sql, { marketId, asOf, touches: { from, to } }), scope);
};

/** Returns the total sums of a range by category and basis. */
export async function totalSpend(db: Db, scope: SpendScope): Promise<SpendTotal[]> {
  const parts = touchingParts(withParameters(db), scope);
  const rows = await db<SpendTotal[]>`
    select category, basis, trim_scale(sum(usd))::text as "amountUsd", count(*)::integer as entries
    from (select category, basis, entry_id, sum(part_usd) as usd from (${parts}) as part group by 1, 2, 3) as entry_sum
    group by 1, 2 order by 1, 2`;
  return rows.map((row) => ({ ...row }));
}

/** Returns the number and amount of the range's entries that have disappeared; no sum counts them. */
export async function sumDisappeared(
  db: Db,
  { marketId, asOf, from, to }: SpendScope,
): Promise<{ entries: number; amountUsd: string }> {
  const entries = entriesSql(withParameters(db), { marketId, asOf, touches: { from, to } });
  const [row] = await db<{ entries: number; amountUsd: string }[]>`
    select count(*)::integer as entries, trim_scale(coalesce(sum(amount_usd), 0))::text as "amountUsd"
    from (${entries}) as entry where disappeared_at is not null`;
  return { entries: row?.entries ?? 0, amountUsd: row?.amountUsd ?? '0' };
}

/** Returns when the first consumption known by `asOf` began, charged or estimated; null: none is known. */
export async function readFirstSpend(
  db: Db,
  { marketId, asOf }: Pick<SpendScope, 'marketId' | 'asOf'>,
): Promise<Date | null> {
  const [row] = await db<{ at: Date | null }[]>`
    select least(
      (select e.start_at from billing_entry e
        where e.market_id = ${marketId} and e.kind = 'charge' and exists (select from billing_version v
          where v.entry_id = e.id and v.seen_from <= ${asOf} and v.seen_to > ${asOf})
        order by e.start_at limit 1),
      (select min(from_at) from instance_rate
        where market_id = ${marketId} and from_at <= ${asOf} and seen_at <= ${asOf} and not gone)) as at`;
  return row?.at ?? null;
}

/** Returns up to when complete syncs cover charges and invoices; null: none by `asOf`. */
export async function readUntil(
  db: Db,
  marketId: number,
  asOf: Date,
): Promise<{ invoices: Date | null; charges: Date | null }> {
  const rows = await db<{ kind: string; at: Date | null }[]>`
    select kind, max(started_at) as at from billing_sync
    where market_id = ${marketId} and state = 'complete' and ended_at <= ${asOf} group by kind`;
  const of = (kind: string): Date | null => rows.find((row) => row.kind === kind)?.at ?? null;
  return { invoices: of('invoice'), charges: of('charge') };
}
