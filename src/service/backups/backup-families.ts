import type { Db } from '../../database/connection.ts';
import { counter, gauge, type MetricFamily } from '../http/metric-families.ts';
import { type BackupTimes, readBackupState } from './backup-state.ts';
import { countBackups } from './backups.sql.ts';

const seconds = (at: Date | null | undefined): number | null =>
  at === null || at === undefined ? null : at.getTime() / 1_000;

/** Returns the metrics of backups; none where there never was one and BACKUPS is off. */
export async function readBackupFamilies(db: Db, times: BackupTimes, now: Date): Promise<MetricFamily[]> {
  const { lastGood, lastFailed, dueAt } = await readBackupState(db, times, now);
  if (lastGood === null && lastFailed === null && times.cron === null) return [];
  const { failed, restoredAt } = await countBackups(db);
  const tookSeconds =
    lastGood === null ? null : (lastGood.endedAt.getTime() - lastGood.startedAt.getTime()) / 1_000;
  return [
    gauge('offerbook_backup_last_success_timestamp_seconds', 'When the newest good backup was begun', [
      [{}, seconds(lastGood?.startedAt)],
    ]),
    gauge('offerbook_backup_last_restored_timestamp_seconds', 'When the newest that was restored began', [
      [{}, seconds(restoredAt)],
    ]),
    gauge('offerbook_backup_last_size_bytes', 'Size of the newest good backup', [
      [{}, lastGood?.bytes ?? null],
    ]),
    gauge('offerbook_backup_last_duration_seconds', 'How long it took, with its check', [[{}, tookSeconds]]),
    gauge('offerbook_backup_due_timestamp_seconds', 'The newest moment that a backup was due', [
      [{}, seconds(dueAt)],
    ]),
    counter('offerbook_backup_failures_total', 'Attempts at a backup that failed', [[{}, failed]]),
  ];
}
