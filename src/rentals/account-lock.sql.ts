import type { ReservedSql, Sql } from '../database/connection.ts';
import { releaseAfter } from '../database/reserved-connection.ts';

/** First half of the advisory lock's keys; the second is the market. */
const lockSpace = 0x0ffe_b00e;
const waitMs = 15_000;
const silentSeconds = 90;

/** The right to create on one account, across all processes; it ends with the connection of `db`. */
export interface AccountLock {
  /** Holds the lock: everything that it commits was committed by the lock's holder. */
  db: ReservedSql;
}

/**
 * Runs `work` while no other process creates on this market's account. A killed process releases the lock with its
 * connection; a process that was suspended for 90 seconds loses it to the next one.
 */
export async function withAccountLock<T>(
  sql: Sql,
  marketId: number,
  work: (lock: AccountLock) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const db = await sql.reserve('snapshot');
  let isTaken = false;
  try {
    await take(db, marketId, signal);
    isTaken = true;
    return await work({ db });
  } finally {
    await free(db, marketId, isTaken ? lockSpace : null);
  }
}

/** Held while something is created on an account, its instances are reconciled, or its standing orders carried out. */
const spaces = { create: lockSpace, keep: 0x0ffe_b00f, order: 0x0ffe_b013 } as const;

/** Runs `work` as `withAccountLock` does; if another process holds the lock, returns null without running it. */
export async function tryAccountLock<T>(
  sql: Sql,
  marketId: number,
  purpose: keyof typeof spaces,
  work: (lock: AccountLock) => Promise<T>,
): Promise<T | null> {
  const db = await sql.reserve(purpose === 'create' ? 'snapshot' : 'lock');
  let isTaken = false;
  try {
    const [row] = await db<{ taken: boolean }[]>`
      select pg_try_advisory_lock(${spaces[purpose]}, ${marketId}) as taken`;
    isTaken = row?.taken === true;
    return isTaken ? await work({ db }) : null;
  } finally {
    await free(db, marketId, isTaken ? spaces[purpose] : null);
  }
}

async function take(db: ReservedSql, marketId: number, signal: AbortSignal | undefined): Promise<void> {
  await db`select set_config('lock_timeout', ${`${waitMs}ms`}, false)`;
  for (;;) {
    signal?.throwIfAborted();
    try {
      await db`select pg_advisory_lock(${lockSpace}, ${marketId})`;
      break;
    } catch (error) {
      if ((error as { code?: unknown }).code !== '55P03') throw error;
      await endSilentHolder(db, marketId);
    }
  }
  await db`select set_config('lock_timeout', '0', false)`;
}

/** Longer than the slowest create, during which the holder sends nothing to the database. */
async function endSilentHolder(db: ReservedSql, marketId: number): Promise<void> {
  await db`
    select pg_terminate_backend(a.pid) from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.classid::bigint = ${lockSpace}
      and l.objid::bigint = ${marketId}
      and l.database = (select oid from pg_database where datname = current_database())
      and a.state <> 'active' and clock_timestamp() - a.state_change > make_interval(secs => ${silentSeconds})`;
}

async function free(db: ReservedSql, marketId: number, space: number | null): Promise<void> {
  await releaseAfter(db, async () => {
    await db`select set_config('lock_timeout', '0', false)`;
    if (space !== null) await db`select pg_advisory_unlock(${space}, ${marketId})`;
  });
}
