import { deleteRow, on } from '../database/builder.ts';
import type { Db } from '../database/connection.ts';
import { and, asc, eq, getTableColumns, gt, inArray, type SQL } from '../database/drizzle.ts';
import { market } from '../database/schema/market.ts';
import { standingOrder } from '../database/schema/order.ts';
import type { OrderState, StandingOrder, WaitingFor } from './order.ts';

const o = standingOrder;
const columns = { ...getTableColumns(o), market: market.name };

/** Orders that a condition holds for, the oldest first; at most `limit`, null: all. */
async function ordersWhere(
  db: Db,
  condition: SQL | undefined,
  limit: number | null,
): Promise<StandingOrder[]> {
  const asked = on(db)
    .select(columns)
    .from(o)
    .innerJoin(market, eq(market.id, o.marketId))
    .where(condition)
    .orderBy(asc(o.id));
  const rows = await (limit === null ? asked : asked.limit(limit));
  return rows.map(({ choices, ...row }) => ({ ...row, choices })) as StandingOrder[];
}

/** Returns the orders of a market, the oldest first, behind the id `after` (null: from the start). */
export const listOrders = async (
  db: Db,
  { marketId, after, limit }: { marketId: number; after: string | null; limit: number },
): Promise<StandingOrder[]> =>
  await ordersWhere(db, and(eq(o.marketId, marketId), after === null ? undefined : gt(o.id, after)), limit);

/** Returns the ids of a market's armed orders, the oldest first. */
export async function listArmedIds(db: Db, marketId: number): Promise<string[]> {
  const armed = and(eq(o.marketId, marketId), eq(o.state, 'armed'));
  return (await on(db).select({ id: o.id }).from(o).where(armed).orderBy(asc(o.armedAt), asc(o.id))).map(
    ({ id }) => id,
  );
}

/** null: no such id. */
export const findOrder = async (db: Db, id: string): Promise<StandingOrder | null> =>
  (await ordersWhere(db, eq(o.id, id), 1))[0] ?? null;

/** Everything of an order that is stored. */
export type OrderRow = Omit<StandingOrder, 'market'>;

/** Stores a new order; false: the market has one of that name. */
export async function insertOrder(db: Db, order: OrderRow): Promise<boolean> {
  const made = await on(db)
    .insert(o)
    .values({ ...order, choices: [...order.choices], channelIds: [...order.channelIds] })
    .onConflictDoNothing({ target: [o.marketId, o.name] })
    .returning({ id: o.id });
  return made.length > 0;
}

/** Whether another order of the market has the name; nobody else can take it until the transaction ends. */
export async function isOrderNameTaken(
  tx: Db,
  { id, marketId, name }: Pick<StandingOrder, 'id' | 'marketId' | 'name'>,
): Promise<boolean> {
  await tx`select from market where id = ${marketId} for no key update`;
  const [taken] = await tx`
    select from standing_order where market_id = ${marketId} and name = ${name} and id <> ${id} limit 1`;
  return taken !== undefined;
}

/** Locks an order until the transaction ends; null: no such id. */
export async function lockOrder(tx: Db, id: string): Promise<StandingOrder | null> {
  await tx`select from standing_order where id = ${id} for update`;
  return await findOrder(tx, id);
}

/** Fields that a step changes; omitted ones stay. */
export interface OrderChange {
  state?: OrderState;
  reason?: string | null;
  waitingFor?: WaitingFor | null;
  waitingReason?: string | null;
  armedAt?: Date;
  judgedBooks?: string | null;
}

/** Changes an order that is in one of the states; false: it is not any more. */
export async function changeOrder(
  db: Db,
  id: string,
  from: readonly OrderState[],
  change: OrderChange,
): Promise<boolean> {
  const changed = await on(db)
    .update(o)
    .set(change)
    .where(and(eq(o.id, id), inArray(o.state, [...from])))
    .returning({ id: o.id });
  return changed.length > 0;
}

/** Replaces what a person sets. */
export async function replaceOrder(db: Db, id: string, fields: Partial<OrderRow>): Promise<void> {
  const { choices, channelIds, ...rest } = fields;
  const lists = {
    ...(choices === undefined ? {} : { choices: [...choices] }),
    ...(channelIds === undefined ? {} : { channelIds: [...channelIds] }),
  };
  await on(db)
    .update(o)
    .set({ ...rest, ...lists })
    .where(eq(o.id, id));
}

/** Deletes an order with its attempts; its rentals stay. */
export const deleteOrder = async (db: Db, id: string): Promise<boolean> => await deleteRow(db, o, id);
