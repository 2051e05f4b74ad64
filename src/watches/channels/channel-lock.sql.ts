import type { Sql } from '../../database/connection.ts';
import { releaseAfter } from '../../database/reserved-connection.ts';

/** Namespace of the locks, distinct from ids of scopes and the like. */
const lockSpace = 0x0ffe_c4a2;

/**
 * Runs `work` unless another process works on this channel; returns false if one does. The lock ends with its
 * connection, so a suspended program blocks nobody.
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
