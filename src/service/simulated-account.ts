import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Log } from '../core/log.ts';
import { addressWithoutSecrets } from '../database/address-without-secrets.ts';
import { createLockFile, type Release, tryLock } from '../database/embedded/file-lock.ts';
import { makeFolder } from '../database/embedded/make-folder.ts';
import type { SimulatorOptions } from '../simulator/simulator.ts';
import type { Config } from './config.ts';

/** Where a simulator has its account, and from which id it counts on. */
export type AccountOptions = Pick<SimulatorOptions, 'state' | 'readOnlyState' | 'firstId'>;

/**
 * Opens the file in DATA_DIR that stores the built-in simulator's account between starts. One service at a time writes
 * it; every other process starts from what it finds there and stores nothing.
 */
export async function openSimulatedAccount(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  log: Log,
  isService: boolean,
): Promise<{ options: AccountOptions; release: Release }> {
  const state = join(config.dataDir, fileName(config));
  const lock = isService ? await lockFor(state, config, log) : null;
  return { options: { state, readOnlyState: lock === null }, release: lock ?? (() => {}) };
}

/** An account belongs to one database: another one in the same DATA_DIR gets a file of its own. */
function fileName({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  if (databaseUrl === null) return 'simulated-account.json';
  const address = createHash('sha256').update(addressWithoutSecrets(databaseUrl)).digest('hex');
  return `simulated-account-${address.slice(0, 12)}.json`;
}

/** Returns the release of the file's lock; null: another process holds it, or the folder cannot be written. */
async function lockFor(
  state: string,
  { dataDir }: Pick<Config, 'dataDir'>,
  log: Log,
): Promise<Release | null> {
  const path = `${state}.lock`;
  const forgotten = 'rentals in the simulated market will be forgotten when this process ends';
  try {
    await makeFolder(dataDir);
    createLockFile(path, null);
    const release = tryLock(path, 'exclusive');
    if (release === null) {
      log.warn({}, `Another process stores the simulated account in ${dataDir}: ${forgotten}.`);
    }
    return release;
  } catch (error) {
    log.warn({ err: error }, `The simulated account cannot be stored in DATA_DIR ${dataDir}: ${forgotten}.`);
    return null;
  }
}
