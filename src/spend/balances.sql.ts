import { deleteRow, on } from '../database/builder.ts';
import type { Db } from '../database/connection.ts';
import { and, desc, eq, getTableColumns, lte } from '../database/drizzle.ts';
import { statementBalance } from '../database/schema/spend.ts';

/** A balance as a person read it off the market and entered it. */
export type StatementBalance = Omit<typeof statementBalance.$inferSelect, 'marketId'>;

const { marketId: ofMarket, ...columns } = getTableColumns(statementBalance);

/** Keeps a balance; one of the same moment is replaced. `id` is a UUID of version 7. */
export async function setBalance(
  db: Db,
  marketId: number,
  balance: StatementBalance,
): Promise<StatementBalance> {
  const { at, ...set } = balance;
  const [row] = await on(db)
    .insert(statementBalance)
    .values({ marketId, at, ...set })
    .onConflictDoUpdate({ target: [ofMarket, columns.at], set })
    .returning(columns);
  if (row === undefined) throw new Error('a balance vanished while it was kept');
  return row;
}

/** The balances of a market up to a moment, as they were entered by then, the newest first; `limit` null: all. */
export async function listBalances(
  db: Db,
  marketId: number,
  { until, limit }: { until: Date; limit: number | null },
): Promise<StatementBalance[]> {
  const entered = and(eq(ofMarket, marketId), lte(columns.at, until), lte(columns.enteredAt, until));
  const asked = on(db).select(columns).from(statementBalance).where(entered).orderBy(desc(columns.at));
  return await (limit === null ? asked : asked.limit(limit));
}

/** Forgets a balance; false: there is none of this id. */
export const deleteBalance = async (db: Db, id: string): Promise<boolean> =>
  await deleteRow(db, statementBalance, id);
