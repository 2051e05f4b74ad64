import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import type { Finding } from '../../../src/market/finding.ts';
import { loadConfig } from '../../../src/service/config.ts';
import { runInProcess } from '../../support/run-in-process.ts';
import { createTestDatabase, databaseUrl } from '../../support/test-database.ts';
import { card, makeCatalog } from './made-catalog.ts';

it('offerbook catalogs imports a file a seller, lists them with the names not compared, and removes one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-catalogs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { sql, target } = await createTestDatabase();
  const config = loadConfig({ DATABASE_URL: databaseUrl(target), DATA_DIR: join(folder, 'data') });
  const run = (...args: string[]) => runInProcess(['catalogs', ...args], config);
  const write = async (provider: string, content: string | Buffer): Promise<string> => {
    await mkdir(join(folder, provider), { recursive: true });
    await writeFile(join(folder, provider, 'vms.csv'), content);
    return join(folder, provider, 'vms.csv');
  };
  const [good, zipped, bad] = [
    await write('cloud-a', makeCatalog([card({ AcceleratorName: 'tpu-v4' }), card({ Price: '' })])),
    await write('cloud-b', gzipSync(makeCatalog([card({ AcceleratorName: 'H100' })]))),
    await write('cloud-c', 'not,a,catalog\n'),
  ];
  expect((await run('list')).stdout).toContain('No catalog has been imported yet');
  const imported = await run('import', good, zipped, bad, '--as-of', '2026-07-01T00:00:00Z');
  expect([imported.code, imported.notes.length]).toEqual([1, 1]);
  expect(imported.notes[0]).toContain('lacks the column AcceleratorName');
  expect(imported.stdout).toMatch(/cloud-a +2026-07-01 00:00 UTC +2 +1 +1 +1 no price/);
  expect(imported.stdout).toMatch(/cloud-b +2026-07-01 00:00 UTC +1 +1 +1/);
  await sql`insert into gpu_model (name) values ('H100 SXM'), ('H100 PCIE')`;
  const listed = (await run('list')).stdout;
  expect(listed).toMatch(/cloud-a +2026-07-01 00:00 UTC +1 +2 +1 +1 no price/);
  expect(listed).toContain('0 of 2 GPU names are models of a market.');
  expect(listed).toMatch(/H100 +cloud-b +ambiguous: H100 SXM or H100 PCIE/);
  expect(listed).toMatch(/tpu-v4 +cloud-a +unknown: not a model of any market/);
  const examined = await runInProcess(['doctor', '--burst', '0', '--json'], config);
  const { findings } = JSON.parse(examined.stdout) as { findings: Finding[] };
  expect(findings.find(({ subject }) => subject === 'catalogs')).toMatchObject({
    ...{ status: 'unknown', measured: { gpuNames: 2, unknown: ['tpu-v4'] } },
    message: expect.stringMatching(/^1 of 2 GPU names of catalogs match no model .*: tpu-v4\. /),
  });
  expect((await run('remove', 'cloud-a')).stdout).toBe('All list prices of cloud-a are deleted.\n');
  expect((await run('list')).stdout).not.toContain('cloud-a');
  const unnamed = await run('import', 'vms.csv');
  expect([unnamed.code, unnamed.notes.join()]).toEqual([2, expect.stringContaining('--provider')]);
});
