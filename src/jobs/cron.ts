import cron from 'node-cron';
import type { Log } from '../domain/log.ts';

export interface CronJob {
  stop: () => Promise<void>;
}

/**
 * Calls `work` at each tick of the cron expression; a tick that comes while the last one still works is left
 * out. An error of `work` is logged and ends nothing.
 */
export function startCron(
  options: { name: string; expression: string; timeZone: string; log: Log },
  work: () => Promise<void>,
): CronJob {
  const { name, expression, timeZone, log } = options;
  let running: Promise<void> = Promise.resolve();
  const quiet = {
    info: (message: string) => log.debug({ job: name }, message),
    debug: (message: string | Error) => log.debug({ job: name }, String(message)),
    warn: (message: string) => log.warn({ job: name }, message),
    error: (message: string | Error) => log.error({ job: name, err: message }, 'cron failed'),
  };
  const task = cron.schedule(
    expression,
    async () => {
      running = work().catch((error: unknown) =>
        log.error({ job: name, err: error }, 'scheduled work failed'),
      );
      await running;
    },
    { name, timezone: timeZone, noOverlap: true, logger: quiet },
  );
  return {
    stop: async () => {
      await task.destroy();
      await running;
    },
  };
}
