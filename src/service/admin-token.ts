import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { programCommand } from '../core/program-file.ts';
import type { Sql } from '../database/connection.ts';
import { makeFolder } from '../database/embedded/make-folder.ts';
import type { Config } from './config.ts';
import { adminTokenState } from './sign-in/credentials.sql.ts';
import { changeAdminToken, ensureAdminToken } from './sign-in/token-changes.sql.ts';

interface AtStart {
  config: Config;
  sql: Sql;
  log: Log;
  now: () => Date;
}

/** Returns the file of the administrator's token, which no backup has; null: it is there, or OFFERBOOK_TOKEN is set. */
export const missingTokenFile = ({ token, dataDir }: Config): string | null =>
  token !== null || existsSync(tokenFile(dataDir)) ? null : tokenFile(dataDir);

const tokenFile = (dataDir: string): string => join(dataDir, 'token');

/**
 * Ensures that the database has an administrator's token when the service starts: OFFERBOOK_TOKEN, else the one in
 * `DATA_DIR/token`, else a new one stored there. Never changes an existing one. Throws UserError if OFFERBOOK_TOKEN
 * differs from the database's.
 */
export async function settleAdminToken({ config, sql, log, now }: AtStart): Promise<void> {
  const { token, dataDir } = config;
  const change = { by: 'start', at: now() };
  if (token !== null) {
    const state = await ensureAdminToken(sql, token, change);
    if (state === 'another') {
      throw new UserError(
        "OFFERBOOK_TOKEN is not the administrator's token of this database. Set it to that token, leave it unset, or " +
          'run `offerbook token rotate` with these settings to adopt it.',
      );
    }
    if (state === 'used up') throw usedUp('OFFERBOOK_TOKEN');
    return;
  }
  const file = tokenFile(dataDir);
  const kept = await readToken(file);
  if (kept === null) {
    // The database has a token that this process does not know, and does not need.
    if ((await adminTokenState(sql, null)) !== 'none') {
      const missing =
        'this database has an administrator, but the file of the token is missing, so `$(cat data/token)` of the guides does not work';
      log.warn({ file }, `${missing}: ${whatToDo()}`);
      return;
    }
    await makeToken(dataDir);
  }
  const known = kept ?? (await readToken(file)) ?? '';
  const state = await ensureAdminToken(sql, known, change);
  if (state === 'used up') throw usedUp(file);
  if (state !== 'another') return;
  if (kept === null) await rm(file, { force: true });
  else {
    log.warn(
      { file },
      `the token in this file is not the administrator's token of this database: ${whatToDo()}`,
    );
  }
}

const whatToDo = (): string =>
  `copy the file from the old DATA_DIR, or make a new token with \`${programCommand()} token rotate\``;

/**
 * Replaces the administrator's token by OFFERBOOK_TOKEN, or if unset by a new one in `DATA_DIR/token`; every session
 * ends. Returns the file; null: OFFERBOOK_TOKEN.
 */
export async function rotateAdminToken({ config, sql, now }: Omit<AtStart, 'log'>): Promise<string | null> {
  const change = { by: 'token rotate', at: now() };
  if (config.token !== null) {
    await changeAdminToken(sql, config.token, change);
    return null;
  }
  const file = tokenFile(config.dataDir);
  const fresh = `${file}.new`;
  const token = newToken();
  await writeOwn(config.dataDir, fresh, token, 'w');
  try {
    await changeAdminToken(sql, token, change);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
  await rename(fresh, file);
  return file;
}

const newToken = (): string => randomBytes(24).toString('base64url');

const usedUp = (where: string): UserError =>
  new UserError(`The token in ${where} was revoked or has another role: set OFFERBOOK_TOKEN to a new one.`);

/** null: there is no such file. */
async function readToken(file: string): Promise<string | null> {
  try {
    const token = (await readFile(file, 'utf8')).trim();
    if (token !== '') return token;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new UserError(
      `${file} cannot be read (${(cause as NodeJS.ErrnoException).code}): check its permissions.`,
      { cause },
    );
  }
  throw new UserError(`${file} contains no token: remove it, and the next start creates a new one.`);
}

async function makeToken(dataDir: string): Promise<void> {
  try {
    // `wx`: of two first starts, one creates the token and both use it.
    await writeOwn(dataDir, tokenFile(dataDir), newToken(), 'wx');
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code !== 'EEXIST') throw error;
  }
}

async function writeOwn(dataDir: string, file: string, token: string, flag: 'w' | 'wx'): Promise<void> {
  try {
    await makeFolder(dataDir);
    await writeFile(file, `${token}\n`, { mode: 0o600, flag });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new UserError(
      `DATA_DIR ${dataDir} cannot be written (${code}): set DATA_DIR to a folder that you can write to.`,
      {
        cause,
      },
    );
  }
}
