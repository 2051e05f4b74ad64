import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/database/connection.ts';
import { loadConfig } from '../../src/service/config.ts';
import { openMarket, rent } from '../simulator/market-account.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';

async function openAccount(key = 'account-key') {
  const market = await openMarket();
  const { target } = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'offerbook-instances-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const config = loadConfig({
    ...{ MARKET_URL: market.url, MARKET_API_KEY: key, MARKET_NAME: 'polled' },
    ...{ DATABASE_URL: databaseUrl(target), DATA_DIR: dataDir },
  });
  return {
    market,
    target,
    crawl: (...args: string[]) => runInProcess(['crawl', 'instances', ...args], config),
  };
}

it('`crawl instances` lists the account and stores what has changed', async () => {
  const { market, target, crawl } = await openAccount();
  expect(await crawl()).toMatchObject({ code: 0, stdout: expect.stringContaining('no instances') });
  await rent(market, 1);
  await rent(market, 2);
  market.goTo(60);
  const { code, stdout } = await crawl('--json');
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    {
      ...{ crawlId: expect.any(String), outcome: 'polled', reason: null },
      ...{
        instances: 2,
        changes: 2,
        gone: 0,
        unidentified: 0,
        statuses: [{ status: 'loading', instances: 2 }],
      },
    },
  ]);
  market.goTo(180);
  const table = await crawl();
  expect(table.stdout).toMatch(/running +2\n2 with a new status, 0 gone\./);
  const sql = connect(target, { max: 1 });
  onTestFinished(() => sql.end());
  const runs = await sql`select outcome, cause from crawl where kind = 'instances' order by started_at`;
  expect(runs.map(({ outcome, cause }) => `${cause} ${outcome}`)).toEqual([
    'command unchanged',
    'command complete',
    'command complete',
  ]);
});

it('`crawl instances` ends with 1 and the reason when the market refuses', async () => {
  // What may pass would be asked three times, with pauses.
  const { crawl } = await openAccount('another-key');
  const { code, notes } = await crawl();
  expect(code).toBe(1);
  expect(notes.join('\n')).toMatch(/^instances: the market refused the key: GET .*instances/);
});
