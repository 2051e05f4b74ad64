import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { makeFolder } from './db/embedded/make-folder.ts';
import { UserError } from './domain/errors.ts';
import type { ChannelTools } from './notify/channels/adapter.ts';
import { createGuardedPost } from './notify/guarded-post.ts';
import { createSecretBox, type SecretBox } from './notify/secret-box.ts';

/** What notices are sent with, as the settings say. */
export interface NotifyAccess {
  secrets: SecretBox;
  tools: ChannelTools;
  close: () => Promise<void>;
}

/** Opens it; makes the key of secrets at the first start. */
export async function openNotify(config: Config, now: () => Date): Promise<NotifyAccess> {
  const http = createGuardedPost({ allowPrivate: config.webhookAllowPrivate });
  return {
    secrets: createSecretBox(await readSecretsKey(config)),
    tools: {
      ...{ http, now, smtpUrl: config.smtpUrl, filesDir: join(config.dataDir, 'reports') },
      mailFrom: config.mailFrom ?? `offerbook@${new URL(config.publicUrl).hostname}`,
    },
    close: http.close,
  };
}

/** SECRETS_KEY as set, else the one made at the first start and kept in `DATA_DIR/secrets-key`. */
async function readSecretsKey({ secretsKey, dataDir }: Config): Promise<string> {
  if (secretsKey !== null) return secretsKey;
  const file = join(dataDir, 'secrets-key');
  try {
    await makeFolder(dataDir);
    // `wx`: of two first starts one makes the key and both use it.
    await writeFile(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EEXIST') {
      throw new UserError(`DATA_DIR ${dataDir} cannot be written (${code}): choose a folder of yours.`, {
        cause,
      });
    }
  }
  const kept = (await readFile(file, 'utf8')).trim();
  if (kept.length >= 16) return kept;
  throw new UserError(`${file} holds no key: put the former one back, or set SECRETS_KEY.`);
}
