import { finished } from 'node:stream/promises';
import { uuidv7 } from 'uuidv7';
import { takeCrawlLock } from '../../books/crawl/crawl-lock.sql.ts';
import { UserError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { type BackupSummary, writeBackup } from '../../database/backup/write-backup.ts';
import type { DatabaseTarget, Sql } from '../../database/connection.ts';
import { backupName, checkName } from './backup-names.ts';
import { type BackupPlace, listBackups, removeBackup } from './backup-place.ts';
import type { BackupSettings } from './backup-settings.ts';
import { addBackupAttempt, type BackupAttempt } from './backups.sql.ts';
import { type BackupCheck, checkByReading, checkByRestoring } from './check-backup-file.ts';
import { findOutdated } from './keep-rule.ts';
import { dropScratch } from './scratch-database.sql.ts';

export interface BackupRun {
  sql: Sql;
  target: DatabaseTarget;
  place: BackupPlace;
  settings: Pick<BackupSettings, 'keep' | 'key' | 'check'>;
  version: string;
  log: Log;
  now: () => Date;
  signal: AbortSignal;
  /** @default nothing is reported */
  onProgress?: (done: number, total: number) => void;
}

/** A good backup, and the names of those that it made outdated. */
export interface MadeBackup {
  attempt: BackupAttempt;
  removed: string[];
}

/**
 * Makes a backup, checks it and then removes those that are no longer kept; one run at a time of all processes on a
 * database. A failure removes the file, is stored with its reason and thrown; one by the signal is not stored.
 */
export async function runBackup(run: BackupRun): Promise<MadeBackup> {
  const { sql, now, signal: stop } = run;
  const lock = await takeCrawlLock(sql, ['backup'], { signal: stop });
  const signal = AbortSignal.any([stop, lock.lost]);
  const startedAt = now();
  const name = backupName(startedAt, run.settings.key !== null);
  const common = { id: uuidv7(), place: run.place.place, name, startedAt };
  try {
    await dropScratch(sql);
    await run.place.clear();
    const made = await makeChecked({ ...run, signal }, name, startedAt);
    const attempt: BackupAttempt = { ...common, endedAt: now(), outcome: 'good', ...made };
    await addBackupAttempt(sql, attempt);
    return { attempt, removed: await removeOutdated(run) };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const reason = error instanceof Error ? error.message : String(error);
    const nothing = { bytes: null, tables: null, rows: null, checked: null };
    const failed: BackupAttempt = { ...common, endedAt: now(), outcome: 'failed', reason, ...nothing };
    await addBackupAttempt(sql, failed).catch(() => {});
    throw error;
  } finally {
    await lock.release();
  }
}

type Made = Pick<BackupAttempt, 'bytes' | 'tables' | 'rows' | 'checked' | 'reason'>;

async function makeChecked(run: BackupRun, name: string, startedAt: Date): Promise<Made> {
  const { sql, place, settings, version, signal, onProgress = () => {} } = run;
  const options = { version, now: startedAt, onProgress, signal, key: settings.key };
  const summary = await place.write(name, (file) => writeBackup(sql, file, options));
  const stored = (await listBackups(place)).find((backup) => backup.name === name);
  try {
    if (stored === undefined) throw new UserError(`${place.place} does not list ${name}, which was written.`);
    const check = await checkStored(run, stored, summary);
    if (check !== null) await writeMark(place, checkName(name, check.checked));
    return {
      bytes: stored.bytes,
      tables: summary.tables,
      rows: summary.rows,
      checked: check?.checked ?? null,
      reason: check?.reason ?? null,
    };
  } catch (error) {
    // A file that is not as it was written must not look good.
    await place.remove(name).catch(() => {});
    throw error;
  }
}

async function checkStored(
  { sql, target, place, settings: { check, key }, signal }: BackupRun,
  stored: { name: string; bytes: number },
  { rowsOf }: BackupSummary,
): Promise<BackupCheck | null> {
  const source = place.source(stored, key);
  if (check === 'off') return null;
  if (check === 'read') return await checkByReading({ source, signal });
  return await checkByRestoring({ sql, target, source, rowsOf, signal });
}

const writeMark = async (place: BackupPlace, name: string): Promise<void> =>
  await place.write(name, async (file) => {
    file.end();
    await finished(file);
  });

/** The new backup is good whether or not old ones can be removed. */
async function removeOutdated({ place, settings, log }: BackupRun): Promise<string[]> {
  const removed: string[] = [];
  try {
    for (const backup of findOutdated(await listBackups(place), settings.keep)) {
      await removeBackup(place, backup);
      removed.push(backup.name);
    }
  } catch (error) {
    log.warn({ err: error, place: place.place }, 'old backups could not be removed');
  }
  return removed;
}
