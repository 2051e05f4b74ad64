import { isDatabaseUnreachable } from '../db/unreachable.ts';
import type { Log } from '../domain/log.ts';

/** Tells of a database that is away once when it goes and once when it is back, whoever notices. */
export interface OutageLog {
  /** Notes an error of something that will be tried again. */
  failed: (error: unknown, message: string) => void;
  /** Notes that the database answers. */
  answered: () => void;
}

/** The outages of one process. */
export function createOutageLog(log: Log, now: () => Date): OutageLog {
  let awaySince: Date | null = null;
  return {
    failed: (error, message) => {
      if (!isDatabaseUnreachable(error)) {
        log.error({ err: error }, message);
        return;
      }
      if (awaySince === null) log.warn({}, 'the database does not answer; work goes on when it does');
      awaySince ??= now();
    },
    answered: () => {
      if (awaySince === null) return;
      const seconds = Math.round((now().getTime() - awaySince.getTime()) / 1_000);
      awaySince = null;
      log.info({ seconds }, 'the database answers again');
    },
  };
}
