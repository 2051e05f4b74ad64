import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { defaultDialect } from '../../src/market/dialect.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';
import { runInProcess } from './run-in-process.ts';

it('rents, lists, stops and destroys from the command line; a guard ends with 4, a destroy asks', async () => {
  const { target } = await createTestDatabase();
  const simulator = createSimulator({ offersPerType: 60 });
  const { url } = await simulator.listen();
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-rent-'));
  onTestFinished(async () => {
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  });
  const dialectFile = join(folder, 'dialect.json');
  const none = Object.fromEntries(Object.keys(defaultDialect.minIntervalSeconds).map((name) => [name, 0]));
  await writeFile(dialectFile, JSON.stringify({ minIntervalSeconds: none }));
  const configOf = (more: Record<string, string>) =>
    loadConfig({
      ...{ MARKET_URL: url, MARKET_API_KEY: simulator.apiKey, MARKET_DIALECT: dialectFile, ACTIONS: 'on' },
      ...{ DATABASE_URL: databaseUrl(target), DATA_DIR: folder, OFFERBOOK_TOKEN: 'token-of-the-test' },
      ...{ MAX_USD_PER_HOUR: '50', MAX_TOTAL_USD_PER_HOUR: '50', MAX_INSTANCES: '1' },
      ...{ SEARCHES_PER_MINUTE: '1000', ...more },
    });
  const run = async (args: string[], more: Record<string, string> = {}) =>
    await runInProcess(args, configOf(more));
  const offers = simulator
    .offersAt(undefined, { storageGb: 20 })
    .filter((row) => row.rentable === true && row.vms_enabled !== true && Number(row.disk_space) >= 20);
  const wish = [
    'rent',
    '--offer',
    String(offers[0]?.id),
    '--image',
    'ubuntu',
    '--disk',
    '20',
    '--label',
    'job',
  ];

  const dry = await run([...wish, '--dry-run']);
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining('Nothing was sent')]);
  const refused = await run([...wish, '--key', 'a'], { MAX_INSTANCES: '0' });
  expect([refused.code, refused.notes.join(' ')]).toEqual([4, expect.stringContaining('MAX_INSTANCES')]);
  expect(simulator.instances()).toEqual([]);

  const first = await run([...wish, '--key', 'a', '--json']);
  const again = await run([...wish, '--key', 'a', '--json']);
  expect([first.code, again.code]).toEqual([0, 0]);
  const { instanceId } = JSON.parse(first.stdout) as { instanceId: number };
  expect(JSON.parse(again.stdout)).toMatchObject({ instanceId });
  expect(simulator.instances()).toHaveLength(1);
  const shown = await run(['instances']);
  expect(shown.stdout).toMatch(new RegExp(`${instanceId} +job +provisioning`));

  const stopped = await run(['stop', 'job']);
  expect([stopped.code, stopped.stdout]).toEqual([0, expect.stringContaining('until destroyed')]);
  const asked = await run(['destroy', 'job']);
  expect([asked.code, simulator.instances()[0]?.phase]).toEqual([2, 'stopped']);
  expect((await run(['destroy', 'job', '--yes'])).code).toBe(0);
  expect(simulator.instances()[0]?.phase).toBe('destroyed');
  expect((await run(['actions', 'off'])).stdout).toContain('refused');
  const killed = await run([...wish, '--key', 'b']);
  expect(killed.code).toBe(4);
  const audit = await run(['audit', 'verify', '--json']);
  expect(JSON.parse(audit.stdout)).toMatchObject({ problem: null });
});
