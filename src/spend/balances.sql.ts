import { deleteRow, on } from '../database/builder.ts';
import type { Db } from '../database/connection.ts';
import { and, desc, eq, getTableColumns, lte } from '../database/drizzle.ts';
import { statementBalance } from '../database/schema/spend.ts';

/** A balance that a person read on the market's site and recorded. */
export type StatementBalance = Omit<typeof statementBalance.$inferSelect, 'marketId'>;

const { marketId: ofMarket, ...columns } = getTableColumns(statementBalance);

/** Stores a balance; it replaces one of the same moment. `id` is a version 7 UUID. */
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

/** Returns the balances of a market up to a moment, as recorded by then, newest first; `limit` null: all. */
export async function listBalances(
  db: Db,
  marketId: number,
  { until, limit }: { until: Date; limit: number | null },
): Promise<StatementBalance[]> {
  const entered = and(eq(ofMarket, marketId), lte(columns.at, until), lte(columns.enteredAt, until));
  const asked = on(db).select(columns).from(statementBalance).where(entered).orderBy(desc(columns.at));
  return await (limit === null ? asked : asked.limit(limit));
}

/** Deletes a balance; false if none has this id. */
export const deleteBalance = async (db: Db, id: string): Promise<boolean> =>
  await deleteRow(db, statementBalance, id);
