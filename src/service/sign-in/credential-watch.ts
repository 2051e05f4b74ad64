import type { Log } from '../../core/log.ts';
import type { Sql } from '../../database/connection.ts';
import { findEndedCredentials } from './credentials.sql.ts';

const lookEveryMs = 1_000;

/** Ends long responses when their requester may no longer read them. */
export interface CredentialWatch {
  /**
   * Calls `onEnd` once the credential was revoked, has expired or changed its role, in any process, within 2 seconds
   * while the database answers. Returns a function that ends the watch.
   */
  watch: (credential: { id: string; role: string }, onEnd: () => void) => () => void;
}

interface Watched {
  id: string;
  role: string;
  onEnd: () => void;
}

/** Checks all credentials with an open response once a second; does nothing without one. */
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
        // While the database is away this is unknown: the next check decides.
        .catch((error: unknown) =>
          log.debug({ err: error }, 'credentials of open responses could not be checked'),
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
