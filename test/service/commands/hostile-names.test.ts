import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../../../src/database/connection.ts';
import type { OffersAnswer } from '../../../src/prices/newest/offers.routes.ts';
import { reply, startScriptedServer } from '../../market/scripted-server.ts';
import { runOfferbook } from '../../support/offerbook-command.ts';
import { createTestDatabase, databaseUrl } from '../../support/test-database.ts';

const steering = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
/** What a terminal is given, line ends apart. */
const steers = (text: string): boolean => steering.test(text.replaceAll('\n', ''));

const names = [
  'RTX\u001b[2J\u001b]0;owned\u00074090',
  'RTX\u009b31m 4090',
  'RTX \u202e0904\u202c',
  'RTX\n4090\r\t!',
  'RTX 4090 ',
  ' RTX  4090',
  `"RTX" '4090' \\ 100 % = 1,2`,
  'Карта 4090 \u{1F600}é',
  'e\u0301A-1',
];

const row = (id: number, gpuName: string) => ({
  ...{
    id,
    machine_id: id + 10,
    gpu_name: gpuName,
    num_gpus: 1,
    dph_base: 0.3,
    dph_total: 0.3,
    storage_cost: 0,
  },
  ...{ rental_type: 'on-demand', scraped_at: '2026-07-20T05:19:05+00:00' },
});

describe('names and reasons with control characters', () => {
  let folder: string;
  let sql: Sql;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'offerbook-names-'));
    const database = await createTestDatabase();
    ({ sql } = database);
    env = { DATABASE_URL: databaseUrl(database.target), DATA_DIR: join(folder, 'data') };
    const book = join(folder, 'book.jsonl');
    await writeFile(book, names.map((name, index) => JSON.stringify(row(index + 1, name))).join('\n'));
    expect((await runOfferbook(['import', '--market', 'odd', book], env)).code).toBe(0);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('are cleaned and counted when stored, and every listed name can be requested again', async () => {
    const listed = await runOfferbook(['offers', '--json'], env);
    const { items } = JSON.parse(listed.stdout) as OffersAnswer;
    const stored = items.map(({ gpuName }) => gpuName);
    expect(stored).toHaveLength(names.length);
    expect(stored.filter((name) => steering.test(name))).toEqual([]);
    for (const { offerId, gpuName } of items) {
      const { code, stdout, stderr } = await runOfferbook(['offers', '--json', '--gpu-name', gpuName], env);
      expect([code, stderr], JSON.stringify(gpuName)).toEqual([0, []]);
      expect((JSON.parse(stdout) as OffersAnswer).items.map((item) => item.offerId)).toContain(offerId);
    }
    const [run] = await sql<{ replaced: number }[]>`
      select (certificate ->> 'replacedCharacters')::int as replaced from crawl`;
    expect(run?.replaced).toBe(3 + 1 + 2 + 3);
  });

  it('are escaped in tables, notes and errors, and exact in JSON', async () => {
    // As an older version stored it.
    const old = 'OLD\u001b[31m\u009b1m\u202e';
    await sql`update gpu_model set name = ${old} where name = 'RTX 4090 '`;
    const table = await runOfferbook(['offers'], env);
    expect(steers(table.stdout)).toBe(false);
    expect(table.stdout).toContain('OLD\\u001b[31m\\u009b1m\\u202e');
    const refused = await runOfferbook(['offers', '--gpu-name', 'OLD31m1'], env);
    expect(refused.code).toBe(2);
    expect(refused.stderr.filter(steers)).toEqual([]);
    const json = await runOfferbook(['offers', '--json'], env);
    expect(steers(json.stdout)).toBe(false);
    expect((JSON.parse(json.stdout) as OffersAnswer).items.map(({ gpuName }) => gpuName)).toContain(old);
  });

  it('do not reach the terminal from the account, its refusals or the log', async () => {
    const state = 'up\u001b[1m\u009b1m\u202e';
    const instances = { instances: [{ id: 1, actual_status: state, label: state }] };
    const market = await startScriptedServer(
      reply(200, instances),
      reply(400, { error: 'odd', msg: `no\u001b]0;x\u0007\u009b\u202eyes` }),
    );
    const live = {
      ...{
        ...env,
        MARKET_URL: market.baseUrl,
        MARKET_API_KEY: 'a-key-of-the-tests',
        MARKET_NAME: 'live-odd',
      },
      LOG_LEVEL: 'debug',
    };
    const shown = await runOfferbook(['crawl', 'instances'], live);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('up\uFFFD[1m\uFFFD1m\uFFFD');
    const refused = await runOfferbook(['crawl', 'instances'], live);
    expect(refused.code).toBe(1);
    expect(refused.stderr.join('\n')).toContain('no\uFFFD]0;x\uFFFD\uFFFD\uFFFDyes');
    for (const { stdout, stderr } of [shown, refused]) {
      expect([steers(stdout), stderr.filter(steers)]).toEqual([false, []]);
    }
    const [run] = await sql<{ reason: string }[]>`select reason from crawl where outcome = 'failed'`;
    expect(run?.reason).toContain('no\uFFFD]0;x');
  });
});
