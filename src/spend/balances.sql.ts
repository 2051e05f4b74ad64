import type { Db } from '../database/connection.ts';

/** A balance as a person read it off the market and entered it. */
export interface StatementBalance {
  id: string;
  at: Date;
  /** US dollars, decimal text as entered. */
  amountUsd: string;
  enteredAt: Date;
  enteredBy: string;
}

/** Keeps a balance; one of the same moment is replaced. `id` is a UUID of version 7. */
export async function setBalance(
  db: Db,
  marketId: number,
  balance: StatementBalance,
): Promise<StatementBalance> {
  const { id, at, amountUsd, enteredAt, enteredBy } = balance;
  const [row] = await db<StatementBalance[]>`
    insert into statement_balance (id, market_id, at, amount_usd, entered_at, entered_by)
    values (${id}, ${marketId}, ${at}, ${amountUsd}, ${enteredAt}, ${enteredBy})
    on conflict (market_id, at) do update set id = excluded.id, amount_usd = excluded.amount_usd,
      entered_at = excluded.entered_at, entered_by = excluded.entered_by
    returning id, at, amount_usd::text as "amountUsd", entered_at as "enteredAt", entered_by as "enteredBy"`;
  if (row === undefined) throw new Error('a balance vanished while it was kept');
  return { ...row };
}

/** The balances of a market up to a moment, as they were entered by then, the newest first; `limit` null: all. */
export async function listBalances(
  db: Db,
  marketId: number,
  { until, limit }: { until: Date; limit: number | null },
): Promise<StatementBalance[]> {
  const rows = await db<StatementBalance[]>`
    select id, at, amount_usd::text as "amountUsd", entered_at as "enteredAt", entered_by as "enteredBy"
    from statement_balance where market_id = ${marketId} and at <= ${until} and entered_at <= ${until}
    order by at desc limit ${limit}`;
  return rows.map((row) => ({ ...row }));
}

/** Forgets a balance; false: there is none of this id. */
export async function deleteBalance(db: Db, id: string): Promise<boolean> {
  const deleted = await db`delete from statement_balance where id = ${id} returning id`;
  return deleted.length === 1;
}
