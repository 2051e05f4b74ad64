import { type Db, inTransaction, type ReservedSql, type Sql } from '../database/connection.ts';

const lockSpace = 0x0ffe_5bed;

/**
 * Waits until no other transaction reads or writes a market's spend, and keeps it so until the transaction ends. The
 * moment of the write is taken afterwards, so it is later than every moment that `takeSpendMoment` has returned.
 */
export async function enterSpend(tx: Db, marketId: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(${lockSpace}, ${marketId})`;
  // Moments differ by at least a millisecond.
  await tx`select pg_sleep(0.002)`;
}

/** Returns the present moment once everything dated before it has landed: `asOf` this moment repeats the read. */
export async function takeSpendMoment(sql: Sql, marketId: number, now: () => Date): Promise<Date> {
  return await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock_shared(${lockSpace}, ${marketId})`;
    return now();
  });
}

/** Runs `work` on one snapshot of the database. */
export async function readAtOnce<T>(sql: Sql, work: (tx: ReservedSql) => Promise<T>): Promise<T> {
  const db = await sql.reserve('snapshot');
  try {
    return await inTransaction(db, work, 'isolation level repeatable read read only');
  } finally {
    db.release();
  }
}
