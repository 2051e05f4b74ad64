import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../core/errors.ts';
import { addressWithoutSecrets } from '../database/address-without-secrets.ts';
import type { Config } from './config.ts';

type Place = Pick<Config, 'databaseUrl' | 'dataDir'>;

/** Returns whether there is a database to open: one at DATABASE_URL, or an embedded one in DATA_DIR. Creates nothing. */
export async function hasData({ databaseUrl, dataDir }: Place): Promise<boolean> {
  if (databaseUrl !== null) return true;
  return await lstat(join(dataDir, 'pg')).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT' && code !== 'ENOTDIR',
  );
}

/** Throws a UserError without a database, for commands that would only find an empty one. */
export async function requireData(place: Place): Promise<void> {
  if (!(await hasData(place))) throw noDataIn(place);
}

/** The error of a command that would only find an empty database, in DATA_DIR or at DATABASE_URL. */
export function noDataIn({ databaseUrl, dataDir }: Place): UserError {
  const where =
    databaseUrl === null
      ? `${dataDir}: change to the folder where Offerbook was started, set DATA_DIR to its data`
      : `the database at ${addressWithoutSecrets(databaseUrl)}: set DATABASE_URL to that of Offerbook`;
  return new UserError(
    `There is no Offerbook data in ${where}, or OFFERBOOK_URL and OFFERBOOK_TOKEN to a running service. \`offerbook start\` begins anew here.`,
  );
}
