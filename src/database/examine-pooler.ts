import { UserError } from '../core/errors.ts';
import { type AddressTarget, connect, type Sql } from './connection.ts';
import { endsWithin } from './reserved-connection.ts';

/** What a pooler may have no room for, so that nothing waits for it longer. */
const patienceMs = 2_000;
const tries = 3;

/**
 * Returns the target, with `isPooled` if PgBouncer or the like is in between. Throws a UserError if that gives each
 * transaction another session of the server. Other problems are left to the first use of the target.
 */
export async function examinePooler(
  url: string,
  { setting, connectSeconds }: { setting: string; connectSeconds?: number },
): Promise<AddressTarget> {
  const target: AddressTarget = { url };
  if (await isDirect(target, connectSeconds)) return target;
  const pooled = { url, isPooled: true };
  for (let count = 0; count < tries; count += 1) {
    if (
      await endsWithin(
        patienceMs,
        sharesSessions(pooled).catch(() => false),
      )
    ) {
      throw new UserError(
        `${setting} leads through a pooler (PgBouncer) in transaction mode, where locks, notifications and temporary tables get lost: set pool_mode = session for this database, or connect to PostgreSQL itself.`,
      );
    }
  }
  return pooled;
}

/** Whether the server takes settings at the start of a session, which poolers refuse or ignore. */
async function isDirect(target: AddressTarget, connectSeconds = 10): Promise<boolean> {
  const sql = connect(target, { max: 1, connectSeconds, startSettings: { 'offerbook.direct': 'yes' } });
  try {
    const [row] = await sql<{ direct: string | null }[]>`
      select current_setting('offerbook.direct', true) as direct`;
    return row?.direct === 'yes';
  } catch (error) {
    return !(error instanceof Error && /unsupported startup parameter/i.test(error.message));
  } finally {
    await sql.end({ timeout: 1 }).catch(() => {});
  }
}

/** Whether another connection is given the session of one that is open: never in session mode. */
async function sharesSessions(target: AddressTarget): Promise<boolean> {
  const pools = [1, 2, 3].map(() => connect(target, { max: 1 }));
  const begin = async (sql: Sql): Promise<boolean> => {
    try {
      await sql`begin`;
      return true;
    } catch {
      return false;
    }
  };
  try {
    const pids = new Set<number>();
    for (const [index, sql] of pools.entries()) {
      // The first session is left idle, the others are kept in a transaction, which statement mode refuses.
      if (index > 0 && !(await begin(sql))) return true;
      const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
      pids.add(row?.pid ?? 0);
    }
    return pids.size < pools.length;
  } finally {
    await Promise.all(pools.map((sql) => sql.end({ timeout: 1 }).catch(() => {})));
  }
}
