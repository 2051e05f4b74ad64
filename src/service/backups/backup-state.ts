import type { Db } from '../../database/connection.ts';
import { latestTicks, nextTaken } from '../../jobs/taken-ticks.ts';
import { type BackupAttempt, newestBackup } from './backups.sql.ts';

/** When backups are to be made; the cron expression is null while BACKUPS is off. */
export interface BackupTimes {
  cron: string | null;
  timeZone: string;
}

/** How the backups of a database stand. */
export interface BackupState {
  lastGood: BackupAttempt | null;
  lastFailed: BackupAttempt | null;
  /** The newest scheduled moment; null: there is none. */
  dueAt: Date | null;
  nextAt: Date | null;
  /** Whether the backup of that moment is still missing an hour later. */
  isOverdue: boolean;
}

const patienceMs = 3_600_000;

/** Reads how the backups of a database stand. */
export async function readBackupState(
  db: Db,
  { cron, timeZone }: BackupTimes,
  now: Date,
): Promise<BackupState> {
  const [lastGood, lastFailed] = [await newestBackup(db, 'good'), await newestBackup(db, 'failed')];
  const times = cron === null ? null : { cron, timeZone, everyMinutes: null };
  const dueAt = times === null ? null : latestTicks(times, now)[0];
  const isMissing = dueAt !== null && (lastGood === null || lastGood.startedAt < dueAt);
  return {
    lastGood,
    lastFailed,
    dueAt,
    nextAt: times === null ? null : nextTaken(times, now),
    isOverdue: isMissing && now.getTime() - dueAt.getTime() > patienceMs,
  };
}
