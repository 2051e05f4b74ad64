import packageJson from '../../../package.json' with { type: 'json' };
import { UserError } from '../../core/errors.ts';
import type { Schedule } from '../../jobs/scheduler.ts';
import type { JobEnd, JobHandler } from '../../jobs/worker.ts';
import type { Runtime } from '../runtime.ts';
import { newestBackup } from './backups.sql.ts';
import { openBackupPlace } from './open-place.ts';
import { type MadeBackup, runBackup } from './run-backup.ts';

type BackupRuntime = Pick<Runtime, 'sql' | 'target' | 'now' | 'config' | 'log'>;

/** Returns the schedule of backups; none while BACKUPS is off. */
export function backupSchedules({ sql, config }: Pick<Runtime, 'sql' | 'config'>): Schedule[] {
  const { cron } = config.backups;
  if (cron === null) return [];
  return [
    {
      key: 'backup',
      queue: 'make-backup',
      cron,
      timeZone: config.timeZone,
      everyMinutes: null,
      jobData: (tickAt) => ({ tickAt: tickAt.toISOString() }),
      newestCrawl: async () => (await newestBackup(sql, 'good'))?.startedAt ?? null,
    },
  ];
}

/** Makes a backup in BACKUP_TO as the settings say. Throws a UserError if there is no BACKUP_TO. */
export async function makeConfiguredBackup(
  { sql, target, now, config, log }: BackupRuntime,
  signal: AbortSignal,
  onProgress?: (done: number, total: number) => void,
): Promise<MadeBackup> {
  const { backups: settings, s3 } = config;
  if (settings.to === null) {
    throw new UserError('BACKUP_TO is not set: set it to a folder or s3://bucket/folder.');
  }
  const place = await openBackupPlace(settings.to, s3, signal);
  const { version } = packageJson;
  const progress = onProgress === undefined ? {} : { onProgress };
  return await runBackup({ sql, target, place, settings, version, log, now, signal, ...progress });
}

/** Makes scheduled backups; one that fails is retried, and then becomes a failed job. */
export function createBackupHandler(runtime: BackupRuntime): JobHandler {
  const make = async (signal: AbortSignal): Promise<JobEnd> => {
    // The settings no longer ask for backups.
    if (runtime.config.backups.to === null) return { kind: 'done' };
    try {
      const { attempt, removed } = await makeConfiguredBackup(runtime, signal);
      const { place, name, bytes, rows, checked, reason } = attempt;
      runtime.log.info({ place, name, bytes, rows, checked, reason, removed }, 'a backup was made');
      return { kind: 'done' };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!signal.aborted) runtime.log.error({ reason }, 'a backup failed');
      return { kind: 'again', reason };
    }
  };
  return async (jobs, signal) => {
    const ends = new Map<string, JobEnd>();
    for (const { id } of jobs) ends.set(id, await make(signal));
    return ends;
  };
}
