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
