import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { Agent } from 'undici';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { Sql } from '../../src/database/connection.ts';
import { createApp } from '../../src/service/http/app.ts';
import { ensureAdminToken } from '../../src/service/sign-in/token-changes.sql.ts';
import type { Bench, Measurement } from '../figure.ts';
import { seedSimulated } from '../seed-simulated.ts';

const requests = 20_000;
const connections = 16;
/** Warm-up before the first round: the program compiles what runs often. */
const unmeasured = 1_000;
const token = 'a-token-of-the-bench';
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/**
 * Requests a second of one trend that the answer cache holds, over HTTP, beside a bare Hono route that returns the same
 * bytes with the same client. Both servers share the process with the client; they take turns.
 */
export async function measureCachedTrend(bench: Bench): Promise<Measurement[]> {
  const count = bench.sized(requests);
  bench.note(`cached trend: ${count} requests each`);
  return await bench.withDatabase(async (sql) => {
    await ensureAdminToken(sql, token, { by: 'bench', at: new Date() });
    const market = await ensureMarket(sql, 'bench', 'simulated');
    await seedBooks(sql, market.id, bench.sized(365));
    const app = createApp({
      ...{ sql, log: silent, now: () => new Date(), publicUrl: 'http://127.0.0.1', version: 'bench' },
      ...{ defaultMarket: async () => market, mode: async () => 'replay' as const, seeding: () => null },
      ...{ crawlNow: async () => ({ crawlIds: [] }), maxDataAgeMinutes: 180, actionsEnabled: false },
      ...{ webRoot: null, cacheAnswersMs: 600_000 },
    });
    const path = '/api/trends?bucket=book&from=2026-01-01&to=2026-02-01';
    const headers = { authorization: `Bearer ${token}` };
    const answer = await app.request(path, { headers });
    if (answer.status !== 200) throw new Error(`the trend was answered with ${answer.status}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const bare = new Hono().get('/api/trends', (c) =>
      c.body(bytes, 200, { 'content-type': 'application/json' }),
    );
    const rates = { cached: 0, bare: 0 };
    const both = [
      ['bare', bare],
      ['cached', app],
    ] as const;
    for (const [, one] of both) await requestsASecond(one.fetch, path, headers, unmeasured);
    // They alternate, so that a slow moment of the machine affects both.
    for (let turn = 0; turn < 4; turn += 1) {
      for (const [name, one] of both) {
        rates[name] += (await requestsASecond(one.fetch, path, headers, count / 4)) / 4;
      }
    }
    const sizes = [{ what: 'requests of each', count, atLeast: count }];
    return [
      {
        ...{ name: 'cached-trend', value: 1e6 / rates.cached, yardstick: 1e6 / rates.bare, unit: 'µs' },
        ...{ sizes, details: [`${Math.round(rates.cached)} requests a second; ${bytes.length} bytes each`] },
      },
    ];
  });
}

/** Books an hour apart. */
const seedBooks = async (sql: Sql, marketId: number, count: number): Promise<void> =>
  await seedSimulated(sql, {
    ...{ marketId, offersPerType: 20 },
    moments: Array.from({ length: count }, (_, hour) => new Date(Date.UTC(2026, 0, 1, hour))),
  });

async function requestsASecond(
  fetch: (request: Request) => Response | Promise<Response>,
  path: string,
  headers: Record<string, string>,
  count: number,
): Promise<number> {
  const server = serve({ fetch, hostname: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const agent = new Agent({ connections, pipelining: 1 });
  let left = count;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { statusCode, body } = await agent.request({
        ...{ origin: `http://127.0.0.1:${port}`, path, headers, method: 'GET' },
      });
      await body.arrayBuffer();
      if (statusCode !== 200) throw new Error(`answered with ${statusCode}`);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: connections }, work));
  const seconds = (performance.now() - startedAt) / 1_000;
  await agent.close();
  await new Promise((resolve) => server.close(resolve));
  return count / seconds;
}
