import { readSettings, secretSettings, settings } from './config.ts';

/** Where a setting comes from, and its value: a secret's is never given, null where nothing is set. */
export interface DescribedSetting {
  name: string;
  value: string | null;
  source: 'environment' | 'file' | 'default' | 'not set';
}

/** Every setting as `loadConfig` reads it. */
export function describeSettings(env: Record<string, string | undefined>): DescribedSetting[] {
  const given = readSettings(env, []);
  return Object.entries(settings).map(([name, schema]): DescribedSetting => {
    const value = given[name];
    if (value !== undefined) {
      const source = env[name] ? 'environment' : 'file';
      return { name, value: secretSettings.includes(name) ? '(secret)' : value, source };
    }
    const { data } = schema.safeParse(undefined);
    return {
      name,
      value: data === undefined ? null : String(data),
      source: data === undefined ? 'not set' : 'default',
    };
  });
}
