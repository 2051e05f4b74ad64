import type { Log } from '../core/log.ts';
import { addressWithoutSecrets } from '../database/address-without-secrets.ts';
import type { Config } from './config.ts';

/** Logs a line when a service has started and one when it has stopped. */
export interface LifeLog {
  /** `url` is where it listens; null: it is a worker. */
  started: (url: string | null) => void;
  /** `reason` is the signal that ended it; a service that cannot start says why in words instead. */
  stopped: (reason: string) => void;
}

/** Returns the log of one service's life: both lines have version, role, pid and database. */
export function createLifeLog(
  log: Log,
  { version, config }: { version: string; config: Pick<Config, 'role' | 'databaseUrl' | 'dataDir'> },
): LifeLog {
  const database =
    config.databaseUrl === null ? `embedded in ${config.dataDir}` : addressWithoutSecrets(config.databaseUrl);
  const common = { version, role: config.role, pid: process.pid, database };
  const from = performance.now();
  return {
    started: (url) => log.info({ ...common, ...(url === null ? {} : { url }) }, 'started'),
    stopped: (reason) => {
      const upSeconds = Math.round((performance.now() - from) / 1_000);
      log.info({ ...common, reason, upSeconds }, 'stopped');
    },
  };
}
