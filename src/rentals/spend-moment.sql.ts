import { type Db, inTransaction, type ReservedSql, type Sql } from '../database/connection.ts';

const lockSpace = 0x0ffe_5bed;

/**
 * Waits until nobody asks what is known of a market's spend and nobody else writes it, and keeps it so until the
 * transaction ends. The moment that what is written is dated to is taken after it: it lies behind every moment that
 * `takeSpendMoment` has given.
 */
export async function enterSpend(tx: Db, marketId: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(${lockSpace}, ${marketId})`;
  // Moments are told apart to the millisecond.
  await tx`select pg_sleep(0.002)`;
}

/** The moment now, once everything that is dated to before it has landed: `asOf` this moment repeats what is read. */
export async function takeSpendMoment(sql: Sql, marketId: number, now: () => Date): Promise<Date> {
  return await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock_shared(${lockSpace}, ${marketId})`;
    return now();
  });
}

/** Gives what `work` reads in one moment of the database. */
export async function readAtOnce<T>(sql: Sql, work: (tx: ReservedSql) => Promise<T>): Promise<T> {
  const db = await sql.reserve('snapshot');
  try {
    return await inTransaction(db, work, 'isolation level repeatable read read only');
  } finally {
    db.release();
  }
}
