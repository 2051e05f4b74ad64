import type { Db } from './connection.ts';
import { type AnyPgColumn, drizzle, eq, type PgRemoteDatabase, type PgTable } from './drizzle.ts';

/** Runs what it builds. */
type Builder = PgRemoteDatabase<Record<string, never>>;
type RunNow = (text: string, params: unknown[], run: () => Promise<unknown>) => Promise<unknown>;

const builders = new WeakMap<Db, Builder>();

/**
 * The typed builder on a pool, a reserved connection or a transaction. A query runs when it is awaited, as the tagged
 * queries do: prepared, with the driver's own values and errors. An empty `in` list matches nothing.
 */
export function on(db: Db): Builder {
  const known = builders.get(db);
  if (known !== undefined) return known;
  const made = drizzle(async (text, params) => ({
    rows: await db.unsafe(text, params as never[], asTagged).values(),
  }));
  const { session } = made._;
  const prepare = session.prepareQuery.bind(session);
  // The builder would wrap errors in one of its own, whose message holds every parameter.
  const runNow: RunNow = async (_, __, run) => await run();
  session.prepareQuery = (...args) => Object.assign(prepare(...args), { queryWithCache: runNow });
  builders.set(db, made);
  return made;
}

/** A plain text is neither prepared nor sent with binary parameters unless it says so. */
const asTagged = { prepare: true, simple: false } as { prepare: boolean };

/** Deletes the row with that id; false: there is none. */
export async function deleteRow(db: Db, table: PgTable & { id: AnyPgColumn }, id: string): Promise<boolean> {
  const deleted = await on(db).delete(table).where(eq(table.id, id)).returning({ id: table.id });
  return deleted.length > 0;
}
