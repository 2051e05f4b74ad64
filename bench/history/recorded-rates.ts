import type { Sql } from '../../src/database/connection.ts';
import type { Bench, Measurement } from '../figure.ts';
import { booksPerDay, type MadeHistory, makeRuns } from './make-history.ts';

/** Share of listings whose price changes per day: the middle of the 17 to 20% in the recorded books. */
const recordedChangesPerDay = 0.185;

/**
 * Returns the database's size if prices changed as often as recorded: rebuilds the price intervals of the history at that
 * rate, on which nothing else depends. Afterwards the intervals no longer fit the statistics.
 */
export async function measureRecordedRates(
  bench: Bench,
  sql: Sql,
  { scopeId, counts, from, to }: MadeHistory,
): Promise<Measurement> {
  bench.note('history: runs at the recorded rate');
  const days = (to.getTime() - from.getTime()) / 86_400_000;
  const db = await sql.reserve();
  try {
    await db`set work_mem = '256MB'`;
    await db`set idle_in_transaction_session_timeout = 0`;
    await db`truncate price_interval`;
    await makeRuns(db, scopeId, counts.books, days * recordedChangesPerDay);
  } finally {
    db.release();
  }
  await sql`vacuum analyze price_interval`;
  const [row] = await sql<{ runs: number; runBytes: number; bytes: number }[]>`
    select (select count(*) from price_interval) as runs, pg_total_relation_size('price_interval')::float8 as "runBytes",
      pg_database_size(current_database())::float8 as bytes`;
  const { runs = 0, runBytes = 0, bytes = 0 } = row ?? {};
  return {
    ...{ name: 'database-bytes-recorded-rates', value: bytes / counts.observations, unit: 'B/observation' },
    ...{ yardstick: null, onlyAtFullSize: true },
    sizes: [
      { what: 'observations', count: counts.observations, atLeast: 20_000 * days * booksPerDay },
      { what: 'price runs', count: runs, atLeast: Math.floor(20_000 * days * 0.17) },
    ],
    details: [
      `${(bytes / 1e6).toFixed(0)} MB, of which runs ${(runBytes / 1e6).toFixed(0)} MB; ${recordedChangesPerDay * 100}% of prices change a day`,
    ],
  };
}
