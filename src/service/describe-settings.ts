import { settingsIn } from './config.ts';
import { isSecret, readSettings } from './read-settings.ts';

/** Where a setting comes from, and its value: never that of a secret, null if unset. */
export interface DescribedSetting {
  name: string;
  value: string | null;
  source: 'environment' | 'file' | 'default' | 'not set';
}

/** Returns every setting that `loadConfig` reads, those of the markets that MARKETS names last. */
export function describeSettings(env: Record<string, string | undefined>): DescribedSetting[] {
  const schemas = settingsIn(env);
  const given = readSettings(env, Object.keys(schemas), []);
  return Object.entries(schemas).map(([name, schema]): DescribedSetting => {
    const value = given[name];
    if (value !== undefined) {
      const source = env[name] ? 'environment' : 'file';
      return { name, value: isSecret(name) ? '(secret)' : value, source };
    }
    const { data } = schema.safeParse(undefined);
    return {
      name,
      value: data === undefined ? null : String(data),
      source: data === undefined ? 'not set' : 'default',
    };
  });
}
