import { UserError } from '../../core/errors.ts';
import type { BackupSource } from '../../database/backup/backup-source.ts';
import { checkBackup } from '../../database/backup/read-backup.ts';
import { restoreBackup } from '../../database/backup/restore-backup.ts';
import { connect, type DatabaseTarget, type Sql } from '../../database/connection.ts';
import { countRows, dropScratch, makeScratch, whyNoScratch } from './scratch-database.sql.ts';

/** How a backup was checked; `reason`: why it was only read through. */
export interface BackupCheck {
  checked: 'restored' | 'read';
  reason: string | null;
}

interface CheckOptions {
  sql: Sql;
  target: DatabaseTarget;
  source: BackupSource;
  /** Rows of each table as they were written. */
  rowsOf: ReadonlyMap<string, number>;
  signal: AbortSignal;
}

/** Reads a backup through and checks its hash. Throws a UserError for a damaged one. */
export async function checkByReading({
  source,
  signal,
}: Pick<CheckOptions, 'source' | 'signal'>): Promise<BackupCheck> {
  await checkBackup(source, signal);
  return { checked: 'read', reason: null };
}

/**
 * Restores a backup into a scratch database of the same server and compares its rows; reads it through if the server
 * does not allow that. Throws a UserError for a backup that is not what was written.
 */
export async function checkByRestoring(options: CheckOptions): Promise<BackupCheck> {
  const { sql, signal } = options;
  const refusal = await whyNoScratch(sql);
  if (refusal !== null) return { ...(await checkByReading(options)), reason: `not restored: ${refusal}` };
  try {
    await restoreInScratch(options);
    return { checked: 'restored', reason: null };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof UserError) throw error;
    // The server's problem, such as a full disk, says nothing about the backup.
    const { message } = error as Error;
    return { ...(await checkByReading(options)), reason: `not restored: ${message}` };
  } finally {
    // The next run drops what could not be dropped now.
    await dropScratch(sql).catch(() => {});
  }
}

async function restoreInScratch({ sql, target, source, rowsOf, signal }: CheckOptions): Promise<void> {
  const scratch = connect(await makeScratch(sql, target), {
    max: 1,
    maxReserved: 1,
    applicationName: 'offerbook backup check',
  });
  try {
    await restoreBackup(scratch, source, signal);
    const found = await countRows(scratch, rowsOf.keys());
    for (const [table, rows] of rowsOf) {
      const restored = found.get(table);
      if (restored === rows) continue;
      throw new UserError(
        `${source.name} was restored for a check, and ${table} had ${restored} rows, not ${rows}.`,
      );
    }
  } finally {
    await scratch.end({ timeout: 2 });
  }
}
