import type { Db } from './connection.ts';
import { drizzle, type PgRemoteDatabase } from './drizzle.ts';

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
