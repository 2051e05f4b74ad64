import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../core/errors.ts';
import type { Sql } from '../database/connection.ts';
import { makeFolder } from '../database/embedded/make-folder.ts';
import { createGuardedHttp } from '../watches/channels/guarded-http.ts';
import type { NotifyAccess } from '../watches/channels/notify-access.ts';
import { openPushKeys } from '../watches/channels/push-keys.sql.ts';
import { createSecretBox, type SecretBox } from '../watches/channels/secret-box.ts';
import type { Config } from './config.ts';

/**
 * Opens access to secrets and mail. If there is no key yet, `mayMakeKey` decides whether one is created; without one
 * nothing can be sealed or opened here, because other users of the database could not open it.
 */
export async function openNotify(
  config: Config,
  now: () => Date,
  { sql, mayMakeKey }: { sql: Sql; mayMakeKey: () => Promise<boolean> },
): Promise<NotifyAccess> {
  const http = createGuardedHttp({ allowPrivate: config.webhookAllowPrivate });
  const secrets = await openSecrets(config, mayMakeKey);
  const mailFrom = config.mailFrom ?? `offerbook@${new URL(config.publicUrl).hostname}`;
  const makeKeys = async () => (await import('web-push')).default.generateVAPIDKeys();
  return {
    secrets,
    tools: {
      http,
      now,
      mailFrom,
      smtpUrl: config.smtpUrl,
      filesDir: join(config.dataDir, 'reports'),
      push: {
        keys: async () => await openPushKeys(sql, { secrets, makeKeys, now: now() }),
        subject: `mailto:${addressOf(mailFrom)}`,
      },
    },
    close: http.close,
  };
}

/** Returns the address of a sender like `Offerbook <offerbook@example.com>`. */
const addressOf = (sender: string): string => /<([^<>]+)>$/.exec(sender)?.[1] ?? sender;

/** Returns a box that seals with SECRETS_KEY, else with the key in `DATA_DIR/secrets-key`. */
async function openSecrets(
  { secretsKey, dataDir }: Config,
  mayMakeKey: () => Promise<boolean>,
): Promise<SecretBox> {
  if (secretsKey !== null) return createSecretBox(secretsKey);
  const file = join(dataDir, 'secrets-key');
  const kept = (await readKey(file)) ?? ((await mayMakeKey()) ? await makeKey(dataDir, file) : null);
  return kept === null ? lockedBox(file) : createSecretBox(kept);
}

/** null: there is no such file. */
async function readKey(file: string): Promise<string | null> {
  try {
    const key = (await readFile(file, 'utf8')).trim();
    if (key.length >= 16) return key;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new UserError(`${file} cannot be read (${code}): check its permissions.`, { cause });
  }
  throw new UserError(`${file} contains no key: restore the previous file, or set SECRETS_KEY.`);
}

async function makeKey(dataDir: string, file: string): Promise<string | null> {
  try {
    await makeFolder(dataDir);
    // `wx`: of two first starts, one creates the key and both use it.
    await writeFile(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EEXIST') {
      throw new UserError(
        `DATA_DIR ${dataDir} cannot be written (${code}): set DATA_DIR to a folder that you can write to.`,
        {
          cause,
        },
      );
    }
  }
  return await readKey(file);
}

/** A box that neither seals nor opens. */
const lockedBox = (file: string): SecretBox => ({
  seal: () => {
    throw new UserError(
      `Secrets cannot be stored from here: SECRETS_KEY is unset and ${file} does not exist. Set SECRETS_KEY to that of ` +
        'the service, or ask the service itself with OFFERBOOK_URL and OFFERBOOK_TOKEN.',
    );
  },
  open: () => null,
});
