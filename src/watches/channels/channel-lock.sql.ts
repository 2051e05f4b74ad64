import type { Sql } from '../../database/connection.ts';
import { releaseAfter } from '../../database/reserved-connection.ts';

/** Namespace of the locks, beside the ids of scopes and the like. */
const lockSpace = 0x0ffe_c4a2;

/**
 * Runs `work` while nobody else in any process works at this channel; false: somebody does, and it was not run. The
 * lock goes with its connection: a program that has stopped holds nobody up.
 */
export async function withChannelLock(
  sql: Sql,
  channelId: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const db = await sql.reserve('lock');
  let held = false;
  try {
    const [row] = await db<{ held: boolean }[]>`
      select pg_try_advisory_lock(${lockSpace}, hashtext(${channelId})) as held`;
    held = row?.held === true;
    if (held) await work();
    return held;
  } finally {
    await releaseAfter(db, async () => {
      if (held) await db`select pg_advisory_unlock(${lockSpace}, hashtext(${channelId}))`;
    });
  }
}
