import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { processesOn } from '../../../prove/cluster-processes.ts';
import type { EmbeddedHandle } from '../../../src/database/embedded/supervisor.ts';

export const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export const asRoot = process.getuid?.() === 0;

/** A folder for one test file's databases, which the server's account can reach when the tests run as root. */
export interface Sandbox {
  folder: string;
  /** Root's clusters and copied binaries, shared by the file's tests. */
  stateDir: string;
  dataDir(name: string): string;
  remove(): Promise<void>;
}

export async function makeSandbox(): Promise<Sandbox> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'offerbook-test-')));
  await chmod(folder, 0o755);
  return {
    folder,
    stateDir: join(folder, 'state'),
    dataDir: (name) => join(folder, name),
    remove: async () => {
      const left = await processesOn(folder);
      await rm(folder, { recursive: true, force: true });
      if (left.length > 0) throw new Error(`a test left processes running: ${left.join(', ')}`);
    },
  };
}

type Address = Pick<EmbeddedHandle, 'socketDir'>;

/** One query on a connection of its own. */
export async function ask(address: Address, query: string): Promise<Record<string, unknown>[]> {
  const sql = postgres({
    host: address.socketDir,
    port: 5432,
    user: 'offerbook',
    database: 'offerbook',
    max: 1,
    onnotice: () => {},
  });
  try {
    return [...(await sql.unsafe(query))];
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Waits until `isSo`, at most two minutes: a limit against hanging. */
export async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (let wait = 0; wait < 6_000; wait += 1) {
    if (await isSo()) return;
    await sleep(20);
  }
  throw new Error('it did not come to pass within two minutes');
}
