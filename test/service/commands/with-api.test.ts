import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UserError } from '../../../src/core/errors.ts';
import type { Api } from '../../../src/core/terminal/api.ts';
import { type Service, startService } from '../../../src/main.ts';
import { withApi } from '../../../src/service/commands/with-api.ts';
import { type Config, loadConfig } from '../../../src/service/config.ts';
import { createTestContext, type InProcessEnd, runInProcess } from '../../support/run-in-process.ts';
import { silentLog } from '../../support/silent-log.ts';
import { createTestDatabase, databaseUrl } from '../../support/test-database.ts';

let folder: string;
let service: Service;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offerbook-ask-'));
  const { target } = await createTestDatabase();
  env = {
    DATABASE_URL: databaseUrl(target),
    DATA_DIR: join(folder, 'data'),
    OFFERBOOK_TOKEN: 'ask-the-api-of-tests',
  };
  service = await startService(loadConfig({ ...env, PORT: '0', ROLE: 'api' }), silentLog);
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

async function asking(config: Config, work: (api: Api) => Promise<void>): Promise<InProcessEnd> {
  const end: InProcessEnd = { code: 0, stdout: '', notes: [] };
  await withApi(createTestContext(config, end), work);
  return end;
}

const ways: [string, () => Config][] = [
  ['on the database', () => loadConfig(env)],
  [
    'of a server at OFFERBOOK_URL, without a database',
    () =>
      loadConfig({
        OFFERBOOK_URL: `${service.url}/`,
        OFFERBOOK_TOKEN: 'ask-the-api-of-tests',
        DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
      }),
  ],
];

describe('the API client of commands', () => {
  for (const [where, config] of ways) {
    it(`answers ${where}`, async () => {
      let mode = '';
      let names: string[] = [];
      const told = await asking(config(), async (api) => {
        mode = (await api.getStatus()).mode;
        const body = { name: `watch ${where}`, filters: { gpuName: ['A', 'B'] } };
        await api.createWatch({ body });
        const { items } = await api.listWatches({ limit: 10, cursor: undefined });
        names = items.map(({ name }) => name);
      });
      expect(told).toEqual({ code: 0, stdout: '', notes: [] });
      expect(mode).toBe('simulated');
      expect(names).toContain(`watch ${where}`);
    });

    it(`says what it refuses, a line a field, ${where}`, async () => {
      const told = await asking(config(), async (api) => {
        await api.getRankings({ limit: 'many' });
      });
      expect(told.code).toBe(2);
      expect(told.notes.join()).toContain('limit');
    });
  }

  it('uses the server for templates too: its account is the one that commands change', async () => {
    const [, toServer] = ways;
    const run = async (...args: string[]) => {
      const end = await runInProcess(['templates', ...args, '--json'], toServer?.[1]() ?? loadConfig(env));
      expect([end.code, end.notes]).toEqual([0, []]);
      return JSON.parse(end.stdout) as { templateId: number; templates: object[] };
    };
    const filters = ['--extra-filters', '{"num_gpus":{"gte":2}}'];
    const { templateId } = await run('create', '--name', 'on the server', '--image', 'i', ...filters);
    const { templates } = await run('search', '--name', 'on the server');
    expect(templates).toMatchObject([{ templateId, image: 'i', extraFilters: { num_gpus: { gte: 2 } } }]);
    await run('delete', String(templateId));
    expect((await run('search', '--name', 'on the server')).templates).toEqual([]);
  });

  it('refuses a server without a token, names a server that does not answer, and says that a token is not known there', async () => {
    const nowhere = { OFFERBOOK_URL: 'http://127.0.0.1:1' };
    const request = (env: Record<string, string>) =>
      asking(loadConfig(env), async (api) => {
        await api.getStatus();
      });
    await expect(request(nowhere)).rejects.toThrow(UserError);
    await expect(request(nowhere)).rejects.toThrow(/OFFERBOOK_TOKEN/);
    await expect(request({ ...nowhere, OFFERBOOK_TOKEN: 'ask-the-api-of-tests' })).rejects.toThrow(
      /Cannot reach the server at http:\/\/127.0.0.1:1/,
    );
    await expect(request({ OFFERBOOK_URL: service.url, OFFERBOOK_TOKEN: 'of-another-one' })).rejects.toThrow(
      /^OFFERBOOK_TOKEN is not a token of this Offerbook: .*`token`.*token rotate/,
    );
  });
});
