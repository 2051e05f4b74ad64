import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import type { Sql } from '../../src/db/connection.ts';
import { ensureMarket } from '../../src/db/markets.ts';
import type { Watch } from '../../src/domain/watch.ts';
import { landOffers, makeOffer } from '../api/made-offers.ts';
import { runOfferbook } from '../support/offerbook-command.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';
import { type InProcessEnd, runInProcess } from './run-in-process.ts';

let folder: string;
let sql: Sql;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offerbook-watch-'));
  const database = await createTestDatabase();
  ({ sql } = database);
  env = { DATABASE_URL: databaseUrl(database.target), DATA_DIR: join(folder, 'data'), TZ: 'Europe/Berlin' };
  const { id } = await ensureMarket(sql, 'simulator', 'simulated');
  const offers = ['RTX 4090', 'RTX 5090'].map((gpuName, index) => makeOffer(index + 1, { gpuName }));
  await landOffers(sql, id, '2026-07-30T00:00:00Z', offers);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (...args: string[]): Promise<InProcessEnd> => runInProcess(['watch', ...args], loadConfig(env));
const json = async (...args: string[]): Promise<Watch> => {
  const { code, stdout, notes } = await run(...args, '--json');
  expect([code, notes]).toEqual([0, []]);
  return JSON.parse(stdout) as Watch;
};

describe('offerbook watch', () => {
  it('adds, lists, shows, edits and removes a watch, by name or id', async () => {
    const watch = await json(
      ...['add', '--name', 'two cards', '--filter', 'gpuName=RTX 4090', 'gpuName=RTX 5090', 'numGpus=2'],
      ...[
        'minReliability=0.98',
        '--profile',
        'downGb=50',
        '--rank-by',
        'allInUsdPerHour',
        '--cron',
        '5 * * * *',
      ],
    );
    expect(watch).toEqual({
      id: expect.any(String),
      market: 'simulator',
      name: 'two cards',
      filters: { gpuName: ['RTX 4090', 'RTX 5090'], numGpus: [2], minReliability: 0.98 },
      profile: { storageGb: 8, downGb: 50, upGb: 0, runningHours: 720, stoppedHours: 0 },
      rankBy: 'allInUsdPerHour',
      top: 10,
      schedule: { cron: '5 * * * *', timeZone: 'Europe/Berlin' },
      channelIds: [],
      reportSchedule: null,
    });
    const listed = await run('list');
    expect(listed.stdout).toMatch(
      /^id +name +models +schedule *\n.* two cards +RTX 4090, RTX 5090 +5 \* \* \* \* Europe\/Berlin/,
    );
    const edited = await json(
      ...['edit', 'two cards', '--filter', 'gpuName=RTX 5090', 'country=DE', '--clear', 'minReliability'],
      ...['--top', '3', '--time-zone', 'UTC', '--name', 'one card'],
    );
    expect(edited).toEqual({
      ...watch,
      name: 'one card',
      filters: { gpuName: ['RTX 5090'], numGpus: [2], country: ['DE'] },
      top: 3,
      schedule: { cron: '5 * * * *', timeZone: 'UTC' },
    });
    expect(await json('show', watch.id)).toEqual(edited);
    expect((await run('show', 'one card')).stdout).toMatch(
      /^filters +(?=.*country=DE)(?=.*gpuName=RTX 5090)(?=.*numGpus=2).*$/m,
    );
    expect((await run('remove', 'one card')).code).toBe(0);
    expect(await sql`select from watch`).toHaveLength(0);
  });

  it('is of the market that is named, and its name is free in others', async () => {
    await ensureMarket(sql, 'other.example', 'live');
    const there = await json(
      'add',
      '--name',
      'the same',
      '--market',
      'other.example',
      '--filter',
      'gpuName=H100',
    );
    const here = await json('add', '--name', 'the same');
    expect([there.market, here.market]).toEqual(['other.example', 'simulator']);
    const there2 = await json('edit', 'the same', '--market', 'other.example', '--top', '4');
    expect([there2.id, there2.top]).toEqual([there.id, 4]);
    expect((await json('show', 'the same')).id).toBe(here.id);
    expect((await run('remove', 'the same', '--market', 'other.example')).code).toBe(0);
    expect((await run('remove', 'the same')).code).toBe(0);
    expect(await sql`select from watch`).toHaveLength(0);
  });

  it('names everything that is wrong with 2, and stores nothing', async () => {
    const wrong = await runOfferbook(
      [
        ...['watch', 'add', '--name', 'n', '--filter', 'gpuName=RTX 4090', 'gpu=x', 'minVramGb=much'],
        ...['--top', 'ten', '--cron', 'daily'],
      ],
      env,
    );
    expect(wrong.code).toBe(2);
    expect(wrong.stderr.slice(0, -1).sort()).toEqual([
      'filters.gpu is no field of this body',
      'filters.minVramGb must be a number',
      expect.stringMatching(/^schedule.cron must be a cron expression/),
      'top must be number',
    ]);
    const model = await run('add', '--name', 'n', '--filter', 'gpuName=rtx 4090');
    expect([model.code, model.notes[0]]).toEqual([2, expect.stringMatching(/"rtx 4090".*there is RTX 4090/)]);
    expect((await run('add', '--name', 'n', '--filter', 'numGpus')).code).toBe(2);
    expect((await run('add')).code).toBe(2);
    expect(await sql`select from watch`).toHaveLength(0);
  });

  it('ends with 1 for a taken name, and for a watch or market that there is not', async () => {
    await json('add', '--name', 'taken');
    const again = await run('add', '--name', 'taken');
    expect([again.code, again.notes]).toEqual([1, [expect.stringMatching(/"taken": choose another/)]]);
    const missing = await run('show', 'nothing');
    expect([missing.code, missing.notes]).toEqual([
      1,
      ['There is no watch nothing: `watch list` shows them.'],
    ]);
    const market = await run('list', '--market', 'nowhere');
    expect([market.code, market.notes]).toEqual([1, ['There is no market nowhere.']]);
    expect((await run('edit', 'taken', '--clear', 'minReliabilty')).code).toBe(2);
  });
});
