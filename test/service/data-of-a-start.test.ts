import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService } from '../../src/main.ts';
import { loadConfig } from '../../src/service/config.ts';
import { becomeOnlyService, isServed } from '../../src/service/only-service.ts';
import { publishServiceAddress } from '../../src/service/service-address.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { silentLog } from '../support/silent-log.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offerbook-start-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a folder without data', () => {
  it.each([['status'], ['token', 'login'], ['backup', 'x.gz']])(
    'is left as it is by `%s`',
    async (...args) => {
      const config = loadConfig({ DATA_DIR: join(folder, 'elsewhere') });
      const { code, notes } = await runInProcess(args, config);
      expect(existsSync(config.dataDir)).toBe(false);
      expect(code).toBe(1);
      expect(notes.join()).toMatch(/^There is no Offerbook data in .*elsewhere: .*DATA_DIR.*OFFERBOOK_URL/);
    },
  );

  it('gets no database from a start whose port is taken', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const PORT = String((server.address() as AddressInfo).port);
    const config = loadConfig({ DATA_DIR: join(folder, 'taken'), PORT });
    await expect(startService(config, silentLog)).rejects.toThrow(
      `Cannot listen on 127.0.0.1:${PORT} (another program uses it)`,
    );
    expect(await readdir(config.dataDir)).toEqual(['service.lock']);
    expect(await isServed(config)).toBe(false);
    server.close();
  });
});

it('the doctor says in one line that nobody answers, and asks nothing else', async () => {
  const MARKET_URL = 'http://127.0.0.1:1';
  const config = loadConfig({ MARKET_URL, MARKET_API_KEY: 'a-key', DATA_DIR: join(folder, 'none') });
  const { code, stdout, notes } = await runInProcess(['doctor'], config);
  expect([code, notes, stdout.trim().split('\n')]).toEqual([
    1,
    [],
    [
      expect.stringMatching(/^off +database: there is none in .*none yet: the first start creates it$/),
      `Asking ${MARKET_URL}`,
      `FAILED   offers: nobody answers at ${MARKET_URL} (ECONNREFUSED): check MARKET_URL, and that the market runs. Nothing else of the market was checked.`,
    ],
  ]);
});

describe('embedded data', () => {
  it('has one service: a second one is refused with the address of the first, until that has stopped', async () => {
    const config = loadConfig({ DATA_DIR: join(folder, 'data'), PORT: '0' });
    expect(await isServed(config)).toBe(false);
    const release = await becomeOnlyService(config);
    await publishServiceAddress(config, 'http://127.0.0.1:8123', silentLog);
    expect(await isServed(config)).toBe(true);
    await expect(startService(config, silentLog)).rejects.toThrow(
      `already runs on the data in ${config.dataDir}, at http://127.0.0.1:8123: stop it first, or set DATA_DIR`,
    );
    expect(existsSync(join(config.dataDir, 'pg'))).toBe(false);
    release();
    expect(await isServed(config)).toBe(false);
  });

  it('is not asked about where several services share a PostgreSQL', async () => {
    const shared = { databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing', dataDir: join(folder, 'shared') };
    const releases = await Promise.all([becomeOnlyService(shared), becomeOnlyService(shared)]);
    for (const release of releases) release();
    expect(await isServed(shared)).toBe(null);
    expect(existsSync(shared.dataDir)).toBe(false);
  });
});
