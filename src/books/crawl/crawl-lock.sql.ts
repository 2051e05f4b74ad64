import { setTimeout as delay } from 'node:timers/promises';
import type { ReservedSql, Sql } from '../../database/connection.ts';
import { endsWithin, releaseAfter } from '../../database/reserved-connection.ts';

/** The right to make the next book of some series, across all processes on a database. */
export interface CrawlLock {
  /** Aborts when the right is lost: the connection is gone, or another process took it while this one was suspended. */
  lost: AbortSignal;
  release: () => Promise<void>;
}

/** First half of the advisory locks' keys; the second is the hash of the series. */
const lockSpace = 0x0ffe_b00d;
const tryEveryMs = 250;
const heartbeatMs = 3_000;
const answerMs = 10_000;

export interface CrawlLockOptions {
  signal?: AbortSignal | undefined;
  /** Called once for each series that is not free. */
  onWait?: (() => void) | undefined;
  /** A holder silent this long counts as suspended, and its session is ended. @default 15 */
  silentSeconds?: number | undefined;
}

/**
 * Takes a lock on these series, on a connection of its own: a killed process frees them with its connection, a
 * suspended one loses them to the next. Rejects if `signal` aborts first.
 */
export async function takeCrawlLock(
  sql: Sql,
  series: readonly string[],
  options: CrawlLockOptions = {},
): Promise<CrawlLock> {
  const db = await sql.reserve('lock');
  // A fixed order, so that two crawls of the same series do not deadlock.
  const keys = [...new Set(series)].sort();
  try {
    for (const key of keys) await waitFor(db, key, options);
  } catch (error) {
    await releaseLocks(db, keys);
    throw error;
  }
  const lost = new AbortController();
  const keeping = setInterval(() => {
    stillThere(db).catch((error: unknown) => {
      clearInterval(keeping);
      lost.abort(error);
    });
  }, heartbeatMs);
  return {
    lost: lost.signal,
    release: async () => {
      clearInterval(keeping);
      await releaseLocks(db, keys);
    },
  };
}

async function waitFor(
  db: ReservedSql,
  key: string,
  { signal, onWait, silentSeconds = 15 }: CrawlLockOptions,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    signal?.throwIfAborted();
    const taken = await endsWithin(answerMs, tryLock(db, key));
    if (taken === undefined) throw new Error('the connection to the database was lost');
    if (taken) return;
    if (tries === 1) onWait?.();
    await endSilentHolder(db, key, silentSeconds);
    await delay(tryEveryMs, undefined, { signal });
  }
}

async function tryLock(db: ReservedSql, key: string): Promise<boolean> {
  const [row] = await db<{ taken: boolean }[]>`
    select pg_try_advisory_lock(${lockSpace}, hashtext(${key})) as taken`;
  return row?.taken === true;
}

/** Ends the session of a silent holder; a live one sends a query every few seconds. */
async function endSilentHolder(db: ReservedSql, key: string, seconds: number): Promise<void> {
  await db`
    select pg_terminate_backend(a.pid) from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.classid::bigint = ${lockSpace}
      and l.objid::bigint = hashtext(${key})::bigint & 4294967295
      and l.database = (select oid from pg_database where datname = current_database())
      and a.state <> 'active' and clock_timestamp() - a.state_change > make_interval(secs => ${seconds})`;
}

async function stillThere(db: ReservedSql): Promise<void> {
  await db`select 1`;
}

async function releaseLocks(db: ReservedSql, keys: readonly string[]): Promise<void> {
  // The locks are lost with the connection.
  await releaseAfter(db, async () => {
    for (const key of keys) await db`select pg_advisory_unlock(${lockSpace}, hashtext(${key}))`;
  });
}
