import { deleteRow, on } from '../../database/builder.ts';
import type { Db } from '../../database/connection.ts';
import { eq, type SQL, sql } from '../../database/drizzle.ts';
import { market } from '../../database/schema/market.ts';
import { budget as budgetTable } from '../../database/schema/spend.ts';
import { withParameters } from '../../database/sql-text.ts';
import { bootingStatuses, stopIntention } from '../../market/instance-status.ts';
import { plainLabelSql } from '../../rentals/plain-label.sql.ts';

/** A monthly budget. */
export interface Budget {
  id: string;
  market: string;
  /** Only consumption with this label; null: all consumption. */
  label: string | null;
  /** US dollars, decimal text. */
  monthlyUsd: string;
  /** Shares that send an alert, ascending: 0.8 for 80 %. */
  alertAt: number[];
  /** Whether new rentals are blocked once it is used up. */
  blockRentals: boolean;
  /** Time zone of its months. */
  timeZone: string;
}

export type BudgetFields = Omit<Budget, 'id' | 'market'>;

async function budgetsWhere(db: Db, condition: SQL): Promise<Budget[]> {
  const { id, label, monthlyUsd, alertAt, blockRentals, timeZone } = budgetTable;
  const rows = await on(db)
    .select({ id, market: market.name, label, monthlyUsd, alertAt, blockRentals, timeZone })
    .from(budgetTable)
    .innerJoin(market, eq(market.id, budgetTable.marketId))
    .where(condition)
    .orderBy(sql`${label} collate "C" nulls first`);
  return rows.map((row) => ({ ...row, alertAt: row.alertAt.map(Number) }));
}

/** Returns the budgets of a market: the one for all spend first, then by label. */
export const listBudgets = async (db: Db, marketId: number): Promise<Budget[]> =>
  await budgetsWhere(db, eq(budgetTable.marketId, marketId));

async function findBudget(db: Db, id: string): Promise<Budget | null> {
  const [budget] = await budgetsWhere(db, eq(budgetTable.id, id));
  return budget ?? null;
}

/** Stores a new budget; null: the market already has one for this label. `id` is a version 7 UUID. */
export async function insertBudget(
  db: Db,
  marketId: number,
  budget: BudgetFields & { id: string; createdAt: Date },
): Promise<Budget | null> {
  const made = await on(db)
    .insert(budgetTable)
    .values({ ...budget, marketId, alertAt: budget.alertAt.map(String) })
    .onConflictDoNothing({ target: [budgetTable.marketId, budgetTable.label] })
    .returning({ id: budgetTable.id });
  return made.length === 0 ? null : await findBudget(db, budget.id);
}

/** Changes the given fields; null: none has this id. */
export async function changeBudget(
  db: Db,
  id: string,
  change: { [Name in keyof Omit<BudgetFields, 'label'>]?: BudgetFields[Name] | undefined },
): Promise<Budget | null> {
  const { alertAt, ...others } = change;
  const set = { ...others, ...(alertAt === undefined ? {} : { alertAt: alertAt.map(String) }) };
  if (Object.values(set).some((value) => value !== undefined)) {
    await on(db).update(budgetTable).set(set).where(eq(budgetTable.id, id));
  }
  return await findBudget(db, id);
}

/** Deletes a budget; false if none has this id. */
export const deleteBudget = async (db: Db, id: string): Promise<boolean> =>
  await deleteRow(db, budgetTable, id);

/** The burn rate of a label's instances with the same known end. */
export interface BurnRate {
  label: string | null;
  /** When it begins: what a disk costs once a limit has stopped its instance; null: now. */
  fromAt: Date | null;
  /** The known end: the limit of the instance or the end of its host's offer; null: none is known. */
  untilAt: Date | null;
  /** Sum of the known prices, exact decimal text; null: none is known. */
  usdPerHour: string | null;
  /** Instances whose price the last list does not fully state. */
  unpriced: number;
}

/**
 * Returns the $/hour of the account by label, as its instances count in the ledger: those that boot at their running
 * price, and rentals that no list has yet at their quotes. An instance that its limit stops costs its disk from then on.
 */
export async function burnRates(db: Db, marketId: number): Promise<BurnRate[]> {
  const rows = await db<BurnRate[]>`
    select label, from_at as "fromAt", until_at as "untilAt", trim_scale(sum(usd))::text as "usdPerHour",
      (count(*) filter (where is_unpriced))::int as unpriced
    from (
      select coalesce(n.label, ${plainLabelSql(withParameters(db), db`i.label`)}) as label,
        part.from_at, part.until_at, part.usd, part.is_unpriced
      from (select distinct on (instance_id) * from instance_rate where market_id = ${marketId}
        order by instance_id, from_at desc, seen_at desc) r
      join instance i on i.market_id = ${marketId} and i.instance_id = r.instance_id
      left join rental n on n.market_id = i.market_id and n.instance_id = i.instance_id
      left join instance_plan p on p.market_id = i.market_id and p.instance_id = i.instance_id
      cross join lateral (select r.computing
        or (coalesce(i.actual_status = any(${[...bootingStatuses]}::text[]), true)
          and i.intended_status is distinct from ${stopIntention}) as counts) c
      cross join lateral (select case when c.counts or p.end_action = 'destroy' then p.ends_at end as limit_at) own
      cross join lateral (
        select null::timestamptz as from_at, least(own.limit_at, i.ends_at) as until_at,
          case when c.counts then coalesce(r.base_usd_per_hour + r.storage_usd_per_hour, r.base_usd_per_hour,
            r.storage_usd_per_hour) else r.storage_usd_per_hour end as usd,
          r.storage_usd_per_hour is null or (c.counts and r.base_usd_per_hour is null) as is_unpriced
        union all
        select own.limit_at, i.ends_at, r.storage_usd_per_hour, false
        where p.end_action = 'stop' and own.limit_at < coalesce(i.ends_at, 'infinity')
          and r.storage_usd_per_hour is not null) part
      where not r.gone and i.gone_at is null
      union all
      select n.label, null, null, n.usd_per_hour, false from rental n
      where n.market_id = ${marketId} and n.ended_at is null and not exists (
        select from instance i
        where i.market_id = n.market_id and i.instance_id = n.instance_id and i.gone_at is null)) x
    group by 1, 2, 3`;
  return rows.map((row) => ({ ...row }));
}
