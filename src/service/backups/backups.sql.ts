import { on } from '../../database/builder.ts';
import type { Db } from '../../database/connection.ts';
import { desc, eq } from '../../database/drizzle.ts';
import { backup } from '../../database/schema/backup.ts';

/** An attempt at a backup that has ended. */
export type BackupAttempt = typeof backup.$inferSelect;

/** Stores an attempt. Returns its id. */
export async function addBackupAttempt(db: Db, attempt: BackupAttempt): Promise<string> {
  await on(db).insert(backup).values(attempt).returning({ id: backup.id });
  return attempt.id;
}

/** Returns the newest attempt with this outcome; null: there is none. */
export async function newestBackup(db: Db, outcome: 'good' | 'failed'): Promise<BackupAttempt | null> {
  const [row] = await on(db)
    .select()
    .from(backup)
    .where(eq(backup.outcome, outcome))
    .orderBy(desc(backup.startedAt))
    .limit(1);
  return row ?? null;
}

/** Counts of attempts, and when the newest that was restored for its check began; null: none was. */
export async function countBackups(db: Db): Promise<{ failed: number; restoredAt: Date | null }> {
  const [row] = await db<{ failed: number; restoredAt: Date | null }[]>`
    select count(*) filter (where outcome = 'failed') as failed,
      max(started_at) filter (where checked = 'restored') as "restoredAt"
    from backup`;
  return row ?? { failed: 0, restoredAt: null };
}

/** Whether the database is of a version that stores attempts at backups. */
export async function hasBackups(db: Db): Promise<boolean> {
  const [row] = await db<{ has: boolean }[]>`select to_regclass('backup') is not null as has`;
  return row?.has === true;
}
