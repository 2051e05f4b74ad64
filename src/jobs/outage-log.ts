import type { Log } from '../core/log.ts';
import { isDiskFullError } from '../database/disk-full.ts';
import { isDatabaseUnreachable } from '../database/unreachable.ts';

/** Logs once when the database goes away and once when it is back, whichever part notices. */
export interface OutageLog {
  /** Records an error of something that will be tried again. */
  failed: (error: unknown, message: string) => void;
  /** Records that the database answers. */
  answered: () => void;
  /** Records that the database has stored something. */
  stored: () => void;
  /** Whether the last attempt to store something failed because the database's disk is full. */
  isDiskFull: () => boolean;
}

/** Tracks the outages seen by one process. */
export function createOutageLog(log: Log, now: () => Date): OutageLog {
  let awaySince: Date | null = null;
  let fullSince: Date | null = null;
  return {
    failed: (error, message) => {
      if (isDiskFullError(error)) {
        if (fullSince === null)
          log.error({}, 'the disk of the database is full: free some space there; work resumes by itself');
        fullSince ??= now();
        return;
      }
      if (!isDatabaseUnreachable(error)) {
        log.error({ err: error }, message);
        return;
      }
      if (awaySince === null) log.warn({}, 'the database does not answer; work resumes when it does');
      awaySince ??= now();
    },
    answered: () => {
      if (awaySince === null) return;
      const seconds = Math.round((now().getTime() - awaySince.getTime()) / 1_000);
      awaySince = null;
      log.info({ seconds }, 'the database answers again');
    },
    stored: () => {
      if (fullSince === null) return;
      const seconds = Math.round((now().getTime() - fullSince.getTime()) / 1_000);
      fullSince = null;
      log.info({ seconds }, 'the disk of the database has space again');
    },
    isDiskFull: () => fullSince !== null,
  };
}
