import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLocalApp } from '../../src/service/commands/local-app.ts';
import { loadConfig } from '../../src/service/config.ts';
import { openRuntime } from '../../src/service/runtime.ts';
import { createCloreSimulator } from '../../src/simulator/clore/clore-simulator.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';

it('a market of another kind is crawled without a key, and what it cannot do is refused with a sentence', async () => {
  const { target } = await createTestDatabase();
  const simulator = createCloreSimulator({ servers: 80 });
  onTestFinished(() => simulator.close());
  const { url } = await simulator.listen();
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-named-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const dialect = join(folder, 'clore.json');
  await writeFile(dialect, '{"rentingFeePercent": 2.5}');
  const config = loadConfig({
    ...{ MARKET_CLORE_DIALECT: dialect },
    ...{ MARKETS: 'clore', MARKET_CLORE_URL: url, DATABASE_URL: databaseUrl(target), ACTIONS: 'off' },
    ...{ SECRETS_KEY: 'a key of the tests', CRAWL_RENTED: 'on' },
  });
  const runtime = await openRuntime(config, silentLog);
  onTestFinished(() => runtime.close());
  const outcomes = await runtime.crawl({});
  expect(outcomes.map(({ kind, type }) => `${type} ${kind}`)).toEqual(['on-demand complete', 'bid complete']);
  const app = createLocalApp(runtime, AbortSignal.timeout(60_000));
  const status = (await (await app.request('/api/status')).json()) as Record<string, unknown>;
  expect(status).toMatchObject({
    market: { name: 'clore', kind: 'live' },
    actions: { enabled: false },
    capabilities: { label: 'Clore.ai', types: ['on-demand', 'bid'], account: false, bills: false },
  });
  const kinds = (status.schedule as { kind: string; scope: string }[]).map(
    ({ kind, scope }) => `${kind} ${scope}`,
  );
  expect(new Set(kinds)).toEqual(new Set(['offers default', 'offers rented']));
  const { items } = (await (await app.request('/api/markets')).json()) as { items: object[] };
  expect(items).toMatchObject([{ name: 'clore', rentingFeePercent: 2.5 }]);
  const asked = await app.request('/api/instances/1/stop', { method: 'POST' });
  expect([asked.status, await asked.json()]).toMatchObject([
    409,
    { detail: expect.stringContaining('Offerbook cannot rent or manage instances on this market') },
  ]);
});

it('`crawl offers --market` crawls another market than the first, which is not asked', async () => {
  const { sql, target } = await createTestDatabase();
  const simulator = createCloreSimulator({ servers: 80 });
  onTestFinished(() => simulator.close());
  const { url } = await simulator.listen();
  const config = loadConfig({
    ...{ MARKETS: 'vast,clore', MARKET_VAST_URL: 'http://127.0.0.1:9', MARKET_VAST_API_KEY: 'a-key' },
    ...{ MARKET_CLORE_URL: url, DATABASE_URL: databaseUrl(target), SECRETS_KEY: 'a key of the tests' },
  });
  const crawl = (name: string) => runInProcess(['crawl', 'offers', '--market', name, '--json'], config);
  const { code, stdout } = await crawl('clore');
  const { crawls } = JSON.parse(stdout) as { crawls: { type: string; outcome: string }[] };
  expect([code, crawls.map(({ type, outcome }) => `${type} ${outcome}`)]).toEqual([
    0,
    ['on-demand complete', 'bid complete'],
  ]);
  const books = await sql<{ name: string }[]>`
    select distinct m.name from book b join scope s on s.id = b.scope_id join market m on m.id = s.market_id`;
  expect(books.map(({ name }) => name)).toEqual(['clore']);
  const unknown = await crawl('nowhere');
  expect([unknown.code, unknown.notes.join()]).toEqual([
    1,
    'The market "nowhere" is not crawled here: the settings name vast, clore.',
  ]);
});
