import { join } from 'node:path';
import { UserError } from '../core/errors.ts';
import { makeDataDir } from '../database/embedded/cluster-place.ts';
import { createLockFile, type Release, tryLock } from '../database/embedded/file-lock.ts';
import type { Config } from './config.ts';
import { keptServiceAddress } from './service-address.ts';

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>;

const lockOf = (dataDir: string): string => join(dataDir, 'service.lock');

/**
 * Makes this the one service on an embedded database, until the release or the process's end; on a DATABASE_URL any
 * number may run. Throws a UserError with the other's address if there is one.
 */
export async function becomeOnlyService({ databaseUrl, dataDir }: Place): Promise<Release> {
  if (databaseUrl !== null) return () => {};
  const path = lockOf(await makeDataDir(dataDir));
  createLockFile(path, null);
  const release = tryLock(path, 'exclusive');
  if (release !== null) return release;
  const address = await keptServiceAddress(dataDir);
  throw new UserError(
    `Offerbook already runs on the data in ${dataDir}${address === null ? '' : `, at ${address}`}: stop it first, or set DATA_DIR ` +
      'to another folder. Several processes need a PostgreSQL of their own (DATABASE_URL).',
  );
}

/** Returns whether a service runs on the embedded database; null: that is not known of a DATABASE_URL. */
export async function isServed({ databaseUrl, dataDir }: Place): Promise<boolean | null> {
  if (databaseUrl !== null) return null;
  const path = lockOf(await makeDataDir(dataDir));
  createLockFile(path, null);
  const free = tryLock(path, 'shared');
  free?.();
  return free === null;
}
