import { existsSync } from 'node:fs';
import { UserError } from '../../core/errors.ts';
import { type BackupSource, fileSource } from '../../database/backup/backup-source.ts';
import type { Config } from '../config.ts';
import { readBackupName } from './backup-names.ts';
import { type BackupPlace, listBackups } from './backup-place.ts';
import { openBackupPlace } from './open-place.ts';

/**
 * Returns the backup that a person names: a file, an address in S3, a name in BACKUP_TO, or `latest` for the newest
 * there. Throws a UserError if there is none.
 */
export async function findBackupSource(
  { backups: { to, key }, s3 }: Pick<Config, 'backups' | 's3'>,
  name: string,
  signal: AbortSignal,
): Promise<BackupSource> {
  if (name.startsWith('s3://')) {
    const slash = name.lastIndexOf('/');
    const place = await openBackupPlace(name.slice(0, slash), s3, signal);
    return await findIn(place, name.slice(slash + 1), key);
  }
  const isInPlace = name === 'latest' || readBackupName(name)?.kind === 'backup';
  if (existsSync(name) || !isInPlace || (to === null && name !== 'latest')) return fileSource(name, key);
  if (to === null) throw new UserError('BACKUP_TO is not set, so there is no latest backup: name a file.');
  return await findIn(await openBackupPlace(to, s3, signal), name, key);
}

async function findIn(place: BackupPlace, name: string, key: string | null): Promise<BackupSource> {
  if (name === 'latest') {
    const latest = (await listBackups(place)).at(-1);
    if (latest === undefined) throw new UserError(`There is no backup in ${place.place}.`);
    return place.source(latest, key);
  }
  for await (const { path, bytes } of place.files()) {
    if (path === name) return place.source({ name, bytes }, key);
  }
  throw new UserError(
    `There is no ${name} in ${place.place}: \`offerbook backup list\` shows what is there.`,
  );
}
