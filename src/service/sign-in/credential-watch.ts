import type { Log } from '../../core/log.ts';
import type { Sql } from '../../database/connection.ts';
import { findEndedCredentials } from './credentials.sql.ts';

const lookEveryMs = 1_000;

/** Tells long answers when who they are for may no longer read them. */
export interface CredentialWatch {
  /**
   * Calls `onEnd` once the credential was revoked, has expired or has another role, in whichever process that was done:
   * within 2 seconds, while the database answers. Returns what ends the watch.
   */
  watch: (credential: { id: string; role: string }, onEnd: () => void) => () => void;
}

interface Watched {
  id: string;
  role: string;
  onEnd: () => void;
}

/** One look a second at all credentials with an open answer; none while there is none. */
export function createCredentialWatch({
  sql,
  now,
  log,
}: {
  sql: Sql;
  now: () => Date;
  log: Log;
}): CredentialWatch {
  const open = new Set<Watched>();
  let timer: NodeJS.Timeout | null = null;
  const look = async (): Promise<void> => {
    const credentials = [...open].map(({ id, role }) => ({ id, role }));
    const ended = await findEndedCredentials(sql, credentials, now());
    for (const watched of [...open]) {
      if (!ended.has(watched.id)) continue;
      open.delete(watched);
      watched.onEnd();
    }
  };
  const schedule = (): void => {
    if (timer !== null || open.size === 0) return;
    timer = setTimeout(() => {
      look()
        // While the database is away nobody can tell: the next look does.
        .catch((error: unknown) =>
          log.debug({ err: error }, 'credentials of open answers were not looked at'),
        )
        .finally(() => {
          timer = null;
          schedule();
        });
    }, lookEveryMs).unref();
  };
  return {
    watch: ({ id, role }, onEnd) => {
      const watched = { id, role, onEnd };
      open.add(watched);
      schedule();
      return () => void open.delete(watched);
    },
  };
}
