import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { makeFolder } from './db/embedded/make-folder.ts';
import { UserError } from './domain/errors.ts';

/** The administrator's token: as set, else the one made at the first start and kept in `DATA_DIR/token`. */
export async function readAdminToken({ token, dataDir }: Config): Promise<string> {
  if (token !== null) return token;
  const file = join(dataDir, 'token');
  try {
    await makeFolder(dataDir);
    // `wx`: of two first starts one makes the token and both use it.
    await writeFile(file, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EEXIST') {
      throw new UserError(`DATA_DIR ${dataDir} cannot be written (${code}): choose a folder of yours.`, {
        cause,
      });
    }
  }
  const kept = (await readFile(file, 'utf8')).trim();
  if (kept.length < 8)
    throw new UserError(`${file} holds no token: remove it, a new one is made at the next start.`);
  return kept;
}
