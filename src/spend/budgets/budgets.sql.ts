import type { Db } from '../../database/connection.ts';

/** How much a month may cost. */
export interface Budget {
  id: string;
  market: string;
  /** Of consumption with this label; null: of all. */
  label: string | null;
  /** US dollars, decimal text. */
  monthlyUsd: string;
  /** Shares that alert, ascending: 0.8 for 80 %. */
  alertAt: number[];
  /** Nothing more is rented once it is used up. */
  blockRentals: boolean;
  /** Whose months count. */
  timeZone: string;
}

export type BudgetFields = Omit<Budget, 'id' | 'market'>;

const columns = (db: Db) => db`b.id, m.name as market, b.label, b.monthly_usd::text as "monthlyUsd",
  b.alert_at::float8[] as "alertAt", b.block_rentals as "blockRentals", b.time_zone as "timeZone"`;

/** The budgets of a market: that of all first, then by label. */
export async function listBudgets(db: Db, marketId: number): Promise<Budget[]> {
  const rows = await db<Budget[]>`
    select ${columns(db)} from budget b join market m on m.id = b.market_id
    where b.market_id = ${marketId} order by b.label collate "C" nulls first`;
  return rows.map((row) => ({ ...row }));
}

/** null: there is none of this id. */
async function findBudget(db: Db, id: string): Promise<Budget | null> {
  const [row] = await db<Budget[]>`
    select ${columns(db)} from budget b join market m on m.id = b.market_id where b.id = ${id}`;
  return row === undefined ? null : { ...row };
}

/** Keeps a new budget; null: the market has one of this label. `id` is a UUID of version 7. */
export async function insertBudget(
  db: Db,
  marketId: number,
  budget: BudgetFields & { id: string; createdAt: Date },
): Promise<Budget | null> {
  const { id, label, monthlyUsd, alertAt, blockRentals, timeZone, createdAt } = budget;
  const made = await db`
    insert into budget (id, market_id, label, monthly_usd, alert_at, block_rentals, time_zone, created_at)
    values (${id}, ${marketId}, ${label}, ${monthlyUsd}, ${alertAt.map(String)}::numeric[], ${blockRentals}, ${timeZone},
      ${createdAt}) on conflict on constraint budget_label do nothing returning id`;
  return made.length === 0 ? null : await findBudget(db, id);
}

/** Changes what is given; null: there is none of this id. */
export async function changeBudget(
  db: Db,
  id: string,
  change: { [Name in keyof Omit<BudgetFields, 'label'>]?: BudgetFields[Name] | undefined },
): Promise<Budget | null> {
  const { monthlyUsd = null, alertAt, blockRentals = null, timeZone = null } = change;
  const changed = await db`
    update budget set monthly_usd = coalesce(${monthlyUsd}::numeric, monthly_usd),
      alert_at = coalesce(${alertAt?.map(String) ?? null}::numeric[], alert_at),
      block_rentals = coalesce(${blockRentals}::boolean, block_rentals), time_zone = coalesce(${timeZone}, time_zone)
    where id = ${id} returning id`;
  return changed.length === 0 ? null : await findBudget(db, id);
}

/** Forgets a budget; false: there is none of this id. */
export async function deleteBudget(db: Db, id: string): Promise<boolean> {
  return (await db`delete from budget where id = ${id} returning id`).length === 1;
}

/** What instances of a label cost an hour now. */
export interface BurnRate {
  label: string | null;
  /** Of what is priced, exact decimal text; null: nothing is. */
  usdPerHour: string | null;
  /** Instances of which the last list did not say all that they cost. */
  unpriced: number;
}

/** What the account's instances cost an hour now, by label, as the last lists have it. */
export async function burnRates(db: Db, marketId: number): Promise<BurnRate[]> {
  const rows = await db<BurnRate[]>`
    select coalesce(n.label, nullif(regexp_replace(i.label, '\\s*#[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', ''), ''))
        as label,
      trim_scale(sum(case when r.computing then coalesce(r.base_usd_per_hour + r.storage_usd_per_hour,
        r.base_usd_per_hour, r.storage_usd_per_hour) else r.storage_usd_per_hour end))::text as "usdPerHour",
      (count(*) filter (where r.storage_usd_per_hour is null or (r.computing and r.base_usd_per_hour is null)))::int
        as unpriced
    from (select distinct on (instance_id) * from instance_rate where market_id = ${marketId}
      order by instance_id, from_at desc, seen_at desc) r
    join instance i on i.market_id = ${marketId} and i.instance_id = r.instance_id
    left join rental n on n.market_id = i.market_id and n.instance_id = i.instance_id
    where not r.gone and i.gone_at is null group by 1`;
  return rows.map((row) => ({ ...row }));
}
