import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../core/log.ts';
import type { Config } from './config.ts';

const fileOf = (dataDir: string): string => join(dataDir, 'service-address');

/** Keeps in DATA_DIR how the service is reached, for the links of what runs beside it with another PORT, or none. */
export async function publishServiceAddress({ dataDir }: Config, publicUrl: string, log: Log): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(fileOf(dataDir), `${publicUrl}\n`);
  } catch (error) {
    log.warn(
      { err: error },
      'the address of the service could not be kept in DATA_DIR: links of commands go by PORT',
    );
  }
}

/** The settings of what runs beside a service: without PUBLIC_URL its links lead where the last service was reached. */
export async function besideService(config: Config): Promise<Config> {
  if (config.isPublicUrlSet) return config;
  const kept = (await readFile(fileOf(config.dataDir), 'utf8').catch(() => '')).trim();
  if (!URL.canParse(kept)) return config;
  const sheetsUrl = config.sheetsPort === null ? kept : config.sheetsUrl;
  return { ...config, publicUrl: kept, sheetsUrl };
}
