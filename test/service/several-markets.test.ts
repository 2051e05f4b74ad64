import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, type TestContext, vi } from 'vitest';
import { connect } from '../../src/database/connection.ts';
import { minPoolSize, poolSizePerMarket } from '../../src/database/pool-shares.ts';
import { startService } from '../../src/main.ts';
import { defaultDialect } from '../../src/market/vast/dialect.ts';
import type { RankingsAnswer } from '../../src/prices/rankings/rankings.routes.ts';
import { loadConfig } from '../../src/service/config.ts';
import { createCloreSimulator } from '../../src/simulator/clore/clore-simulator.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { silentLog } from '../support/silent-log.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';

const token = 'a-token-of-the-tests';

/** Registers what closes a server of a test: the tests run at once, because they mostly wait for ticks. */
type Finish = TestContext['onTestFinished'];

/** A service over both kinds of markets, each at the address given. */
async function startBoth(
  onTestFinished: Finish,
  { vast, apiKey, clore }: { vast: string; apiKey: string; clore: string },
  more: Record<string, string> = {},
) {
  const { target } = await createTestDatabase();
  const sql = connect(target, { max: 2, applicationName: 'a test' });
  const dataDir = await mkdtemp(join(tmpdir(), 'offerbook-markets-'));
  const stored: unknown[] = [];
  const info = ({ market }: { market?: unknown }, message: string): void => {
    if (message === 'book stored') stored.push(market);
  };
  const service = await startService(
    loadConfig({
      ...{ DATABASE_URL: databaseUrl(target), DATA_DIR: dataDir, PORT: '0', OFFERBOOK_TOKEN: token },
      ...{ MARKETS: 'vast,clore', MARKET_VAST_URL: vast, MARKET_VAST_API_KEY: apiKey },
      ...{ MARKET_CLORE_URL: clore, MARKET_CLORE_CRAWL_OFFERS: '*/2 * * * * *' },
      ...{ SEARCHES_PER_MINUTE: '100000', CRAWL_OFFERS: '*/2 * * * * *' },
      ...{ CRAWL_INVOICES: 'off', CRAWL_INSTANCES: 'off', ...more },
    }),
    { ...silentLog, info },
  );
  onTestFinished(async () => {
    await service.stop();
    await sql.end();
    await rm(dataDir, { recursive: true, force: true });
  });
  const ask = async <T>(path: string): Promise<T> => {
    const answer = await fetch(service.url + path, { headers: { authorization: `Bearer ${token}` } });
    return (await answer.json()) as T;
  };
  const books = async (market: string): Promise<number> => {
    const [row] = await sql<{ books: number }[]>`
      select count(*)::int as books from book b join scope s on s.id = b.scope_id join market m on m.id = s.market_id
      where m.name = ${market} and b.verdict = 'complete'`;
    return row?.books ?? 0;
  };
  const send = async (method: string, path: string, body?: object): Promise<Response> =>
    await fetch(service.url + path, {
      ...{ method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) },
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
    });
  const order = async (body: object): Promise<{ status: number; crawlIds?: string[]; detail?: string }> => {
    const answer = await send('POST', '/api/crawls', body);
    return { ...((await answer.json()) as object), status: answer.status };
  };
  return { sql, ask, send, books, order, stored };
}

async function startVast(onTestFinished: Finish) {
  const simulator = createSimulator({ offersPerType: 40, seed: 3 });
  onTestFinished(() => simulator.close());
  return { vast: (await simulator.listen()).url, apiKey: simulator.apiKey, simulator };
}

/** Takes requests and answers none. */
async function startHanging(onTestFinished: Finish) {
  let requests = 0;
  const server = createServer(() => {
    requests += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests: () => requests };
}

const patiently = { timeout: 240_000, interval: 200 };

it.concurrent('two markets are crawled at their own times, and their deals compared', async ({
  onTestFinished,
}) => {
  const clore = createCloreSimulator({ servers: 60 });
  onTestFinished(() => clore.close());
  const { ask, books, order, stored } = await startBoth(onTestFinished, {
    ...(await startVast(onTestFinished)),
    clore: (await clore.listen()).url,
  });
  await vi.waitUntil(async () => (await books('vast')) >= 4 && (await books('clore')) >= 4, patiently);
  const { items } = await ask<RankingsAnswer>(
    '/api/rankings?market=vast&market=clore&by=usdPerGpuHour&limit=100',
  );
  expect(new Set(items.map(({ market }) => market))).toEqual(new Set(['vast', 'clore']));
  const status = await ask<{ schedule: { kind: string; type: string }[]; dataAgeMinutes: number }>(
    '/api/status?market=clore',
  );
  expect(status.schedule.map(({ kind, type }) => `${kind} ${type}`)).toEqual([
    'offers on-demand',
    'offers bid',
  ]);
  expect(status.dataAgeMinutes).toBe(0);
  const { market } = await ask<{ market: { name: string } }>('/api/status');
  expect(market.name).toBe('vast');
  expect(new Set(stored)).toEqual(new Set(['vast', 'clore']));
  const { crawlIds: [crawlId] = [] } = await order({ market: 'clore', type: 'bid' });
  await vi.waitUntil(async () => {
    const { items } = await ask<{ items: { id: string; outcome: string }[] }>('/api/crawls?market=clore');
    return items.some(({ id, outcome }) => id === crawlId && outcome === 'complete');
  }, patiently);
  expect(await order({ market: 'elsewhere' })).toMatchObject({
    status: 409,
    detail: expect.stringContaining('the settings name vast, clore'),
  });
  expect(await order({ market: 'clore', kind: 'invoices' })).toMatchObject({
    status: 409,
    detail: expect.stringContaining('of the account of vast'),
  });
});

it.concurrent.for(['clore', 'vast'])(
  'a market that never answers holds up no book of the other: %s',
  async (hung, { onTestFinished }) => {
    const hanging = await startHanging(onTestFinished);
    const clore = createCloreSimulator({ servers: 60 });
    onTestFinished(() => clore.close());
    const { url } = await clore.listen();
    const vast = await startVast(onTestFinished);
    const { ask, books } = await startBoth(
      onTestFinished,
      hung === 'clore' ? { ...vast, clore: hanging.url } : { ...vast, vast: hanging.url, clore: url },
    );
    const other = hung === 'clore' ? 'vast' : 'clore';
    await vi.waitUntil(() => hanging.requests() > 0, patiently);
    const before = await books(other);
    // Both types at several ticks, while the requests to the other are still open.
    await vi.waitUntil(async () => (await books(other)) >= before + 6, patiently);
    expect(await books(hung)).toBe(0);
    const { type, markets } = await ask<{ type?: string; markets?: { market: string; state: string }[] }>(
      '/readyz',
    );
    const states = markets?.map(({ market, state }) => `${market} ${state}`);
    if (hung === 'clore') expect(states).toEqual(['vast ready', 'clore no-complete-book']);
    else expect(type).toContain('no-complete-book');
  },
);

/** Settings with the fewest connections and an account that may rent. */
async function actingWithFewConnections(onTestFinished: Finish): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'offerbook-few-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const dialect = join(folder, 'vast.json');
  const none = Object.fromEntries(Object.keys(defaultDialect.minIntervalSeconds).map((name) => [name, 0]));
  await writeFile(dialect, JSON.stringify({ minIntervalSeconds: none }));
  return {
    ...{
      DATABASE_POOL_SIZE: String(minPoolSize),
      MARKET_VAST_DIALECT: dialect,
      CRAWL_INSTANCES: '*/2 * * * * *',
    },
    ...{ ACTIONS: 'on', MAX_USD_PER_HOUR: '500', MAX_TOTAL_USD_PER_HOUR: '500', MAX_INSTANCES: '9' },
  };
}

it.concurrent.for([
  ['answers', 4],
  ['never answers', 0],
] as const)(
  'with the fewest connections two markets are crawled, read and acted on at once, of which one %s',
  async ([, crawled], { onTestFinished }) => {
    const clore = createCloreSimulator({ servers: 60 });
    onTestFinished(() => clore.close());
    const { simulator, ...vast } = await startVast(onTestFinished);
    const url = crawled === 0 ? (await startHanging(onTestFinished)).url : (await clore.listen()).url;
    const { sql, ask, send, books } = await startBoth(
      onTestFinished,
      { ...vast, clore: url },
      await actingWithFewConnections(onTestFinished),
    );
    await vi.waitUntil(async () => (await books('vast')) >= 2, patiently);
    const [vastBefore, cloreBefore] = [await books('vast'), await books('clore')];
    const both = 'market=vast&market=clore';
    const paths = [
      ...[`/api/rankings?${both}`, `/api/trends?${both}`, `/api/crawls?${both}`, `/api/market?${both}`],
      ...[`/api/exports/offers.csv?${both}`, '/api/exports/spend.csv', '/api/instances', '/api/status'],
    ];
    const refused: string[] = [];
    let [reads, most, done] = [0, 0, false];
    const readOn = async (path: string): Promise<void> => {
      while (!done) {
        const answer = await send('GET', path);
        const text = await answer.text();
        if (answer.ok) reads += 1;
        else refused.push(`${path}: ${text}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    const countOn = async (): Promise<void> => {
      while (!done) {
        const rows = await sql`select from pg_stat_activity
        where datname = current_database() and application_name like 'offerbook%'`;
        most = Math.max(most, rows.length);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const reading = paths.map(readOn);
    const counting = countOn();
    const offers = simulator
      .offersAt(undefined, { storageGb: 20 })
      .filter((row) => row.rentable === true && row.vms_enabled !== true && Number(row.disk_space) >= 20);
    type Listed = { instanceId: number; intendedStatus: string | null };
    const instances = async () => (await ask<{ items: Listed[] }>('/api/instances')).items;
    const act = async (): Promise<void> => {
      let rented: Response;
      // Others rent there too: an offer may be gone.
      do {
        const offerId = offers.shift()?.id;
        rented = await send('POST', '/api/instances', { offerId, image: 'ubuntu', diskGb: 20 });
      } while (rented.status === 410);
      const { instanceId } = (await rented.json()) as { instanceId: number };
      expect([rented.status, instanceId]).toEqual([201, expect.any(Number)]);
      const isListed = async () =>
        (await instances()).some((one) => one.instanceId === instanceId && one.intendedStatus !== null);
      await vi.waitUntil(isListed, patiently);
      for (const [method, path] of [
        ['POST', `/api/instances/${instanceId}/stop`],
        ['DELETE', `/api/instances/${instanceId}`],
      ] as const) {
        const answer = await send(method, path);
        expect([path, answer.status, await answer.text()]).toMatchObject([path, 200, expect.anything()]);
      }
    };
    try {
      await Promise.all([act(), act()]);
      await vi.waitUntil(
        async () =>
          (await books('vast')) >= vastBefore + 6 && (await books('clore')) >= cloreBefore + crawled,
        patiently,
      );
    } finally {
      done = true;
      await Promise.all([...reading, counting]);
    }
    expect(refused).toEqual([]);
    expect(reads).toBeGreaterThan(paths.length * 2);
    expect(most).toBeGreaterThan(minPoolSize);
    expect(most).toBeLessThanOrEqual(minPoolSize + poolSizePerMarket);
    // Polls of the account go on and show that they are gone.
    await vi.waitUntil(async () => (await instances()).length === 0, patiently);
  },
);
