import { readSmallFile } from './small-file.ts';

/** Settings whose values never appear in a message; each can also come from the file `NAME_FILE`. */
export const secretSettings: readonly string[] = [
  'MARKET_API_KEY',
  'MARKET_ACT_API_KEY',
  'OFFERBOOK_TOKEN',
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'HEALTHCHECK_PING_URL',
  'SECRETS_KEY',
  'SMTP_URL',
  'BACKUP_KEY',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
];

/** Whether a setting is secret: one of these, or a key of a market in MARKETS. */
export const isSecret = (name: string): boolean =>
  secretSettings.includes(name) || /^MARKET_.+_API_KEY$/.test(name);

/** Returns the values of the variables, including those from files; adds what is wrong to `problems`. */
export function readSettings(
  env: Record<string, string | undefined>,
  names: readonly string[],
  problems: string[],
): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of names) {
    const value = env[name];
    if (value !== undefined && value !== '') given[name] = value;
    const file = isSecret(name) ? env[`${name}_FILE`] : undefined;
    if (file === undefined || file === '') continue;
    if (given[name] !== undefined) problems.push(`${name}_FILE: ${name} is set too; keep one of them`);
    try {
      given[name] = readSmallFile(file).trim();
    } catch {
      problems.push(`${name}_FILE "${file}": the file cannot be read, or has more than 1 MB`);
    }
  }
  return given;
}
