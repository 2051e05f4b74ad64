import type { Writable } from 'node:stream';
import type { BackupSource } from '../../database/backup/backup-source.ts';
import { checkName, findBackups, readBackupName, type StoredBackup } from './backup-names.ts';

/** A folder of this machine or of a bucket that holds backups. */
export interface BackupPlace {
  /** Its address, for people. */
  place: string;
  files: () => AsyncIterable<{ path: string; bytes: number }>;
  /** Writes a file that is there whole or not at all. Returns what `fill` does. */
  write: <T>(name: string, fill: (file: Writable) => Promise<T>) => Promise<T>;
  source: (backup: { name: string; bytes: number }, key: string | null) => BackupSource;
  remove: (name: string) => Promise<void>;
  /** Removes what killed backups have left there. */
  clear: () => Promise<void>;
}

/** Returns the backups of a place, oldest first. */
export async function listBackups({ files }: BackupPlace): Promise<StoredBackup[]> {
  const found: { path: string; bytes: number }[] = [];
  for await (const file of files()) found.push(file);
  return findBackups(found);
}

/** Removes a backup, and then the marks of its check. */
export async function removeBackup({ remove }: BackupPlace, { name, check }: StoredBackup): Promise<void> {
  await remove(name);
  if (check !== null) await remove(checkName(name, check));
}

/** Whether a name is that of the part of a backup that was not finished. */
export const isPart = (path: string): boolean => readBackupName(path)?.kind === 'part';
