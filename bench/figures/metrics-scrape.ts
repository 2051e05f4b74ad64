import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { serve } from '@hono/node-server';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { createApp } from '../../src/service/http/app.ts';
import { createToken } from '../../src/service/sign-in/credentials.sql.ts';
import type { Bench, Measurement } from '../figure.ts';
import { landFullBook } from '../land-full-book.ts';
import { holdOf } from '../longest-hold.ts';
import { quantile } from '../open-api.ts';
import { addPastDays } from '../past-days.ts';

const fullSize = 25_000;
const days = 30;
const fullScrapes = 300;
const agent = new Agent({ keepAlive: true });
const newestAt = new Date('2026-06-01T12:00:00Z');
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Scrapes of `/metrics` over HTTP, as Prometheus sends them, with the figures of a full book and of the account. */
export async function measureMetricsScrape(bench: Bench): Promise<Measurement[]> {
  const [offers, scrapes] = [bench.sized(fullSize), bench.sized(fullScrapes)];
  return await bench.withDatabase(async (sql) => {
    const market = await ensureMarket(sql, 'bench', 'simulated');
    bench.note(`metrics: landing ${offers} offers on demand and as bids, with ${days} days before`);
    const newestBookId = await landFullBook(sql, market.id, { offers, at: newestAt });
    await landFullBook(sql, market.id, { offers, at: newestAt, type: 'bid' });
    const [scope] = await sql<{ id: number }[]>`select id from scope where market_id = ${market.id}`;
    await addPastDays(sql, { scopeId: scope?.id ?? 0, newestBookId, days });
    const app = createApp({
      ...{
        sql,
        log: silent,
        now: () => newestAt,
        publicUrl: 'http://127.0.0.1',
        version: 'bench',
        webRoot: null,
      },
      ...{ defaultMarket: async () => market, mode: async () => 'live' as const, seeding: () => null },
      ...{ crawlNow: async () => ({ crawlIds: [] }), maxDataAgeMinutes: 180, actionsEnabled: false },
    });
    const { token } = await createToken(sql, { name: 'bench', role: 'viewer' });
    const server = await listen(app.fetch);
    try {
      const scrape = async (): Promise<Buffer> => await getBytes(`${server.url}/metrics`, token);
      let text = '';
      const ready = await holdOf(async () => {
        while (!hasAll(text)) text = gunzipSync(await scrape()).toString();
      });
      bench.note(`metrics: ${scrapes} scrapes`);
      const times: number[] = [];
      for (let turn = 0; turn < scrapes; turn += 1) {
        const begin = performance.now();
        const bytes = await scrape();
        times.push(performance.now() - begin);
        text = gunzipSync(bytes).toString();
        if (!hasAll(text)) throw new Error('a scrape lacks figures');
      }
      const counted = sumOf(text, 'offerbook_market_offers');
      const judged = sumOf(text, 'offerbook_market_verdict_offers', /verdict="(?!insufficient)/);
      return [
        {
          ...{ name: 'metrics-scrape', value: quantile(times, 0.95), unit: 'ms', yardstick: null },
          sizes: [
            { what: 'offers in the figures', count: counted, atLeast: 2 * offers },
            { what: 'offers with a verdict', count: judged, atLeast: offers / 2 },
            { what: 'scrapes', count: times.length, atLeast: scrapes },
          ],
          details: [
            `median ${quantile(times, 0.5).toFixed(1)} ms, slowest ${quantile(times, 1).toFixed(0)} ms`,
            `${text.split('\n').filter((line) => !line.startsWith('#')).length} series, ${text.length} bytes`,
            `figures of a landed book after ${ready.ms.toFixed(0)} ms, longest hold ${ready.heldMs.toFixed(0)} ms`,
          ],
        },
      ];
    } finally {
      agent.destroy();
      await server.close();
    }
  });
}

/** Returns an answer as it is sent, compressed: Prometheus unpacks it in a process of its own. */
async function getBytes(url: string, token: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
  const [answer] = (await once(get(url, { headers, agent }), 'response')) as [IncomingMessage];
  const bytes = await buffer(answer);
  if (answer.statusCode !== 200) throw new Error(`/metrics answered ${answer.statusCode}`);
  return bytes;
}

const hasAll = (text: string): boolean =>
  text.includes('\nofferbook_market_offers{') && text.includes('\nofferbook_account_usd_per_hour{');

function sumOf(text: string, name: string, of = /./): number {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) && of.test(line));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
): Promise<{ url: string; close: () => Promise<void> }> {
  return await new Promise((resolve) => {
    const server = serve({ fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
      resolve({
        url: `http://127.0.0.1:${port}`,
        close: async () => await new Promise((closed) => server.close(() => closed())),
      });
    });
  });
}
