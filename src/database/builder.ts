import type { Db } from './connection.ts';
import {
  type AnyPgColumn,
  drizzle,
  eq,
  getTableName,
  type PgRemoteDatabase,
  type PgTable,
} from './drizzle.ts';

/** The connection that runs the built queries. */
type Builder = PgRemoteDatabase<Record<string, never>>;
type RunNow = (text: string, params: unknown[], run: () => Promise<unknown>) => Promise<unknown>;

const builders = new WeakMap<Db, Builder>();

/**
 * The typed builder on a pool, a reserved connection or a transaction. A query runs when it is awaited, like a tagged
 * query: prepared, with the driver's values and errors. An empty `in` list matches nothing.
 */
export function on(db: Db): Builder {
  const known = builders.get(db);
  if (known !== undefined) return known;
  const made = drizzle(async (text, params) => ({
    rows: await db.unsafe(text, params as never[], asTagged).values(),
  }));
  const { session } = made._;
  const prepare = session.prepareQuery.bind(session);
  // The builder would wrap errors in one whose message contains every parameter.
  const runNow: RunNow = async (_, __, run) => await run();
  session.prepareQuery = (...args) => Object.assign(prepare(...args), { queryWithCache: runNow });
  builders.set(db, made);
  return made;
}

/** Plain text is only prepared and sent with binary parameters if it says so. */
const asTagged = { prepare: true, simple: false } as { prepare: boolean };

/** Deletes the row with that id; false: there is none. */
export async function deleteRow(db: Db, table: PgTable & { id: AnyPgColumn }, id: string): Promise<boolean> {
  const deleted = await on(db).delete(table).where(eq(table.id, id)).returning({ id: table.id });
  return deleted.length > 0;
}

/** Deletes the rows whose moment in a column of their table is before another; null stays. Returns their number. */
export async function deleteOlder(db: Db, column: AnyPgColumn, before: Date): Promise<number> {
  const gone = await db`delete from ${db(getTableName(column.table))} where ${db(column.name)} < ${before}`;
  return gone.count;
}
