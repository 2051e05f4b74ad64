import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCrawl } from '../../src/books/crawls.sql.ts';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { formatTable } from '../../src/core/terminal/table.ts';
import type { Sql } from '../../src/database/connection.ts';
import type { OffersAnswer } from '../../src/prices/newest/offers.routes.ts';
import type { RankingsAnswer } from '../../src/prices/rankings/rankings.routes.ts';
import type { TrendsAnswer } from '../../src/prices/trends/trends.routes.ts';
import { loadConfig } from '../../src/service/config.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';
import { landOffers, makeOffer } from './made-offers.ts';

let folder: string;
let env: Record<string, string>;
let sql: Sql;
let marketId: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'offerbook-prices-'));
  const database = await createTestDatabase();
  env = { DATABASE_URL: databaseUrl(database.target), DATA_DIR: join(folder, 'data') };
  sql = database.sql;
  marketId = (await ensureMarket(sql, 'simulator', 'simulated')).id;
  const offers = [
    makeOffer(1, { baseUsdPerHour: 0.399 }),
    makeOffer(2, { baseUsdPerHour: 0.799, country: 'US' }),
    makeOffer(3, { baseUsdPerHour: 3.999, gpuName: 'H100 SXM', numGpus: 2, dlperf: null }),
  ];
  await landOffers(sql, marketId, '2026-07-30T10:00:00Z', offers);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (...args: string[]) => runInProcess(args, loadConfig(env));
const lines = async (...args: string[]) => {
  const { code, stdout, notes } = await run(...args);
  expect([code, notes]).toEqual([0, []]);
  return stdout;
};

describe('offerbook trends, rank and offers', () => {
  it('print tables wider than the terminal row by row, in lines that fit', () => {
    const head = ['offer', 'model', 'USD/hour', ''];
    const rows = [
      [12, 'RTX 4090', 0.41, 'outlier price'],
      [1345, 'H100 SXM', 2.5, ''],
    ];
    expect(formatTable(head, [], [0, 2], 10)).toMatch(/^offer +model +USD/);
    expect(formatTable(head, rows, [0, 2], 80).split('\n')).toHaveLength(3);
    expect(formatTable(head, rows, [0, 2], 30)).toBe(
      'offer 12, model RTX 4090\n  USD/hour 0.41, outlier price\noffer 1345, model H100 SXM\n  USD/hour 2.5',
    );
  });

  it('print measures to four significant digits, and exactly in JSON', async () => {
    const { id } = await ensureMarket(sql, 'long-figures', 'simulated');
    const offer = makeOffer(1, { dlperf: 123.456789, reliability: 0.98765432 });
    await landOffers(sql, id, '2026-07-30T10:00:00Z', [offer]);
    expect(await lines('offers', '--market', 'long-figures')).toMatch(/ 123\.5 +0\.9877 /);
    expect(await lines('offers', '--market', 'long-figures', '--json')).toContain('"dlperf":123.456');
  });

  it('print tables for people', async () => {
    const trends = await lines(
      'trends',
      '--gpu-name',
      'RTX 4090',
      '--from',
      '2026-07-30',
      '--bucket',
      'book',
    );
    expect(trends).toMatch(
      /2026-07-30 10:00 UTC +RTX 4090 +1 +2 +2 +2 +0.4000 +0.4400 +0.6000 +0.7600 +0.8000/,
    );
    expect(trends).toMatch(/1 complete books, 0 partial, 0 failed attempts/);
    const rank = await lines('rank');
    expect(rank).toMatch(
      /1 +1 +RTX 4090 +1 +on-demand +0.004000 +0.4000 +100.0 +99.0% +verified +DE +no verdict yet/,
    );
    expect(rank).toMatch(
      /Ranked by usdPerDlperfHour in the complete book of 2026-07-30 10:00 UTC \(\d+ d ago\)\.\n1 not ranked: no DLPerf score./,
    );
    const offers = await lines('offers', '--limit', '2');
    expect(offers).toMatch(/3 +30 +H100 SXM +2 +on-demand +2.0000 +4.0000 +4.0000/);
    expect(offers).toMatch(/There are more/);
  });

  it('answer in JSON as the API does, with filters and profile', async () => {
    const filtered = ['--filter', 'country=US', 'country=DE', 'numGpus=1', '--json'];
    const rank = await lines('rank', '--metric', 'allInUsdPerHour', '--profile', 'downGb=720', ...filtered);
    const { by, items } = JSON.parse(rank) as RankingsAnswer;
    // 720 GB at a cent over 720 hours.
    expect([by, items.map(({ value }) => value)]).toEqual([
      'allInUsdPerHour',
      [expect.closeTo(0.41, 9), expect.closeTo(0.81, 9)],
    ]);
    const offers = JSON.parse(await lines('offers', '--filter', 'country=US', '--json')) as OffersAnswer;
    expect(offers.items.map(({ offerId }) => offerId)).toEqual([2]);
    const trends = JSON.parse(await lines('trends', '--type', 'bid', '--json')) as TrendsAnswer;
    expect(trends.series).toEqual([{ key: '*', market: 'simulator', points: [] }]);
  });

  it('report how many books the schedule should have made, from its first tick until now', async () => {
    const ofSchedule = async (
      from: string,
      to: string,
      bucket: string,
      cron: Record<string, string> = {},
    ) => {
      const args = ['trends', '--json', '--from', from, '--to', to, '--bucket', bucket];
      const { stdout } = await runInProcess(args, loadConfig({ ...env, ...cron }));
      return (JSON.parse(stdout) as TrendsAnswer).coverage.expected;
    };
    // Seeded and imported books belong to no tick.
    expect(await ofSchedule('2024-01-01', '2024-01-02', 'book')).toBe(0);
    const [startedAt, tickAt] = [new Date('2024-01-01T09:07:03Z'), new Date('2024-01-01T09:07:00Z')];
    const run = { id: uuidv7(), marketId, scopeName: 'default', type: 'on-demand' as const, startedAt };
    await startCrawl(sql, { ...run, cause: 'cron', tickAt });
    expect(await ofSchedule('2024-01-01', '2024-01-02', 'book')).toBe(15);
    expect(await ofSchedule('2024-01-02T09:07:00Z', '2024-01-02T11:07:00Z', 'book')).toBe(2);
    // The week is counted whole, as its books are.
    expect(await ofSchedule('2024-01-03', '2024-01-04', '1w')).toBe(15 + 6 * 24);
    expect(await ofSchedule('2024-01-03', '2024-01-04', '1w', { CRAWL_OFFERS: 'off' })).toBeNull();
    // A year of hourly ticks in a zone whose clocks go forward and back.
    const berlin = { CRAWL_OFFERS: '*/30 * * * *', TZ: 'Europe/Berlin' };
    expect(await ofSchedule('2025-01-01', '2026-01-01', '1d', berlin)).toBe(365 * 48);
    const mornings = { CRAWL_OFFERS: '30 2 * * *', TZ: 'Europe/Berlin' };
    expect(await ofSchedule('2025-01-01', '2026-01-01', '1d', mornings)).toBe(365);
    const newYears = { CRAWL_OFFERS: '0 0 1 1 *' };
    expect(await ofSchedule('2024-01-02', '2100-01-01', 'book', newYears)).toBe(
      new Date().getUTCFullYear() - 2024,
    );
    expect(await lines('trends', '--from', '2024-01-01', '--to', '2024-01-02')).toMatch(
      /0 complete books, 0 partial, 0 failed attempts, 15 scheduled/,
    );
  });

  it('end with 2 for what the API refuses', async () => {
    const { code, notes } = await run('rank', '--filter', 'minVramGb=much', 'gpu=x');
    expect(code).toBe(2);
    expect(notes.join('\n')).toMatch(/minVramGb[\s\S]*gpu|gpu[\s\S]*minVramGb/);
    expect((await run('rank', '--by', 'price')).code).toBe(2);
    expect((await run('trends', '--gpu-name', 'rtx 4090')).notes.join()).toMatch(/RTX 4090/);
  });
});
