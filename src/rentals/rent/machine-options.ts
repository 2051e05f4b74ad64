import { readFileSync } from 'node:fs';
import { UserError } from '../../core/errors.ts';
import type { AccountRules } from '../../market/account.ts';
import { parseEnvFlags } from '../../market/env-flags.ts';

// What commands that rent read of their options alike.

/** Returns the environment of `-e NAME=value -p host:container`. Throws a UserError for anything else in it. */
export function readEnv(flags: string): object {
  const { env, rest } = parseEnvFlags(flags);
  if (rest.length === 0) return env;
  throw new UserError(
    `--env: "${rest.join(' ')}" is not accepted: write -e NAME=value or -p HOST:CONTAINER.`,
  );
}

/** Returns the script in the file that `--onstart` names, in one line if it is to be compressed. */
export async function readOnstart(
  { onstart, compressOnstart: compress }: { onstart?: string; compressOnstart?: true },
  accountRules: () => Promise<AccountRules>,
): Promise<string | undefined> {
  if (onstart === undefined) return undefined;
  let script: string;
  try {
    script = readFileSync(onstart, 'utf8');
  } catch (cause) {
    throw new UserError(`--onstart ${onstart} cannot be read: check the path.`, { cause });
  }
  return compress === true ? (await accountRules()).shortenScript(script) : script;
}
