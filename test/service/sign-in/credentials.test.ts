import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../../src/main.ts';
import { loadConfig } from '../../../src/service/config.ts';
import { createLog } from '../../../src/service/create-log.ts';
import { runInProcess } from '../../support/run-in-process.ts';
import { silentLog } from '../../support/silent-log.ts';
import { createTestDatabase, databaseUrl } from '../../support/test-database.ts';

describe('a command on the database of a running service', () => {
  let folder: string;
  let url: string;
  let service: Service;
  const token = 'the-token-of-the-service';
  const elsewhere = () => loadConfig({ DATABASE_URL: url, DATA_DIR: join(folder, 'elsewhere') });
  const status = async (bearer = token) =>
    (await fetch(`${service.url}/api/status`, { headers: { authorization: `Bearer ${bearer}` } })).status;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offerbook-credentials-'));
    url = databaseUrl((await createTestDatabase()).target);
    const env = { DATABASE_URL: url, DATA_DIR: join(folder, 'service'), OFFERBOOK_TOKEN: token };
    service = await startService(loadConfig({ ...env, PORT: '0', ROLE: 'api' }), silentLog);
  });

  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(['rank', 'offers', 'spend', 'instances', 'token list', 'channel list', 'report x'])(
    'does not change its tokens and keys: %s',
    async (words) => {
      await runInProcess(words.split(' '), elsewhere());
      expect(await status()).toBe(200);
      expect(await readdir(folder)).not.toContain('elsewhere');
    },
  );

  it('stores no secret that the service cannot open', async () => {
    const secrets = await mkdtemp(join(tmpdir(), 'offerbook-secret-'));
    try {
      const file = join(secrets, 'key');
      await writeFile(file, `whsec_${'a'.repeat(32)}`);
      const add = [
        'channel',
        'add',
        '--kind',
        'webhook',
        '--config',
        'url=https://hook.example/a',
        '--secret-file',
        file,
      ];
      const { code, notes } = await runInProcess(add, elsewhere());
      expect([code, notes.join()]).toEqual([1, expect.stringMatching(/Secrets cannot be stored from here/)]);
    } finally {
      await rm(secrets, { recursive: true, force: true });
    }
    expect(await readdir(folder)).not.toContain('elsewhere');
  });

  it('cannot replace the token by a start with another one', async () => {
    const env = { DATABASE_URL: url, DATA_DIR: join(folder, 'another'), PORT: '0', ROLE: 'api' };
    const other = loadConfig({ ...env, OFFERBOOK_TOKEN: 'another-token-of-tests' });
    await expect(startService(other, silentLog)).rejects.toThrow(
      /not the administrator's token of this database/,
    );
    expect(await status()).toBe(200);
    const warnings: string[] = [];
    const log = createLog('warn', (line) => void warnings.push(line));
    await (await startService(loadConfig(env), log)).stop();
    expect(warnings.join()).toMatch(/the file of the token is missing.*copy the file.*token rotate/);
    expect(await status()).toBe(200);
    expect(await readdir(join(folder, 'another'))).not.toContain('token');
    await writeFile(join(folder, 'another', 'token'), 'of-another-database');
    await (await startService(loadConfig(env), log)).stop();
    expect(warnings.join()).toMatch(/not the administrator's token of this database: copy the file/);
  });

  it('changes the token on request, and says where the new one is', async () => {
    const dataDir = join(folder, 'rotated');
    await mkdir(dataDir);
    const { stdout } = await runInProcess(
      ['token', 'rotate'],
      loadConfig({ DATABASE_URL: url, DATA_DIR: dataDir }),
    );
    const file = join(dataDir, 'token');
    expect(stdout).toContain(`The new token is in ${file}.`);
    const made = (await readFile(file, 'utf8')).trim();
    expect(stdout).not.toContain(made);
    expect([await status(), await status(made)]).toEqual([401, 200]);
    const set = loadConfig({
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      OFFERBOOK_TOKEN: 'a-third-token-of-tests',
    });
    await runInProcess(['token', 'rotate'], set);
    expect([await status(made), await status('a-third-token-of-tests')]).toEqual([401, 200]);
  });
});
