import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../core/log.ts';
import type { Config } from './config.ts';

const fileOf = (dataDir: string): string => join(dataDir, 'service-address');

/** Stores in DATA_DIR how the service is reached, for links from commands and workers with another PORT or none. */
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

/** Returns where the last service on this DATA_DIR is or was reached; null: unknown. */
export async function keptServiceAddress(dataDir: string): Promise<string | null> {
  const kept = (await readFile(fileOf(dataDir), 'utf8').catch(() => '')).trim();
  return URL.canParse(kept) ? kept : null;
}

/** Returns settings for a command beside a service: without PUBLIC_URL its links lead to the service's last address. */
export async function besideService(config: Config): Promise<Config> {
  if (config.isPublicUrlSet) return config;
  const kept = await keptServiceAddress(config.dataDir);
  if (kept === null) return config;
  const sheetsUrl = config.sheetsPort === null ? kept : config.sheetsUrl;
  return { ...config, publicUrl: kept, sheetsUrl };
}
