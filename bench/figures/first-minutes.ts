import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../test/support/free-port.ts';
import type { Bench, Measurement } from '../figure.ts';

const program = fileURLToPath(new URL('../../bin/offerbook.mjs', import.meta.url));
const token = 'a-token-of-the-bench';
const lookEveryMs = 100;
const patienceMs = 180_000;

/**
 * `offerbook start` without settings in an empty folder: time to a filled Market page and to the end of the seeding,
 * and the size of the data folder. Always at full size, because that is what a first start does.
 */
export async function measureFirstMinutes(bench: Bench): Promise<Measurement[]> {
  bench.note('first minutes: a first start in an empty folder');
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-first-'));
  const port = await freePort();
  const child = spawn(process.execPath, [program, 'start'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), OFFERBOOK_TOKEN: token },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const ask = async <T>(path: string): Promise<T | null> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers }).catch(() => null);
    return answer?.ok === true ? ((await answer.json()) as T) : null;
  };
  const until = async (holds: () => Promise<boolean>): Promise<number> => {
    const endsAt = performance.now() + patienceMs;
    while (!(await holds())) {
      if (child.exitCode !== null || performance.now() > endsAt)
        throw new Error('the first start went wrong');
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
    return performance.now();
  };
  let root: string | null = null;
  try {
    const listensAt = await until(async () => (await ask('/healthz')) !== null);
    root = await realpath(join(folder, 'data', 'pg'));
    let models = 0;
    const filledAt = await until(async () => {
      models = (await ask<{ items: unknown[] }>('/api/market'))?.items.length ?? 0;
      return models > 0;
    });
    let total = 0;
    const doneAt = await until(async () => {
      const status = await ask<{ seeding: { done: number; total: number } | null }>('/api/status');
      total = Math.max(total, status?.seeding?.total ?? 0);
      return status !== null && status.seeding === null && total > 0;
    });
    const megabytes = await diskUse([join(folder, 'data'), root]);
    const sizes = [
      { what: 'models on the page', count: models, atLeast: 10 },
      { what: 'seeded books', count: total, atLeast: 100 },
    ];
    const common = { yardstick: null, sizes, details: [] };
    return [
      { ...common, name: 'first-market-page', value: (filledAt - listensAt) / 1_000, unit: 's' },
      { ...common, name: 'first-seeding', value: (doneAt - listensAt) / 1_000, unit: 's' },
      { ...common, name: 'first-data-folder', value: megabytes, unit: 'MB' },
    ];
  } finally {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
    if (root !== null) await rm(root, { recursive: true, force: true });
  }
}

/** Returns the megabytes that folders use on disk, each file once. */
async function diskUse(folders: readonly string[]): Promise<number> {
  const { stdout } = await promisify(execFile)('du', ['-sk', ...new Set(folders)]);
  const kilobytes = stdout.split('\n').map((line) => Number.parseInt(line, 10) || 0);
  return kilobytes.reduce((sum, size) => sum + size, 0) / 1_024;
}
