import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ensureMarket, type Market } from '../../src/books/markets.sql.ts';
import type { Sql } from '../../src/database/connection.ts';
import { createApp } from '../../src/service/http/app.ts';
import { ensureAdminToken } from '../../src/service/sign-in/token-changes.sql.ts';
import { launchBrowser } from '../../test/web/browser.ts';
import type { Bench, Size } from '../figure.ts';
import { seedSimulated } from '../seed-simulated.ts';

export const webRoot = fileURLToPath(new URL('../../web/dist/', import.meta.url));
const token = 'a-token-of-the-bench';
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const hours = 30 * 24;

interface Site {
  browser: Browser;
  url: string;
  books: Size;
}

/** Calls `work` with a browser and the built page, served over 30 days of books in a database of its own. */
export async function withSite<T>(bench: Bench, work: (site: Site) => Promise<T>): Promise<T> {
  if (!existsSync(webRoot)) throw new Error('the page is not built: npx vite build web');
  bench.note(`page: ${hours} books of each type`);
  return await bench.withDatabase(async (sql) => {
    await ensureAdminToken(sql, token, { by: 'bench', at: new Date() });
    const market = await ensureMarket(sql, 'bench', 'simulated');
    const books = await seedBooks(sql, market.id, bench);
    const { url, close } = await serveApp(sql, market);
    const browser = await launchBrowser();
    try {
      return await work({ browser, url, books });
    } finally {
      await browser.close();
      close();
    }
  });
}

async function seedBooks(sql: Sql, marketId: number, bench: Bench) {
  const count = bench.sized(hours);
  const now = Date.now();
  await seedSimulated(sql, {
    ...{ marketId, offersPerType: 200 },
    moments: Array.from({ length: count }, (_, hour) => new Date(now - (count - hour) * 3_600_000)),
    onProgress: (done, total) => {
      if (done % Math.ceil(total / 4) < 2) bench.note(`page: ${done} of ${total} books`);
    },
  });
  const [row] = await sql<{ books: number }[]>`select count(*)::int as books from book`;
  return { what: 'books', count: row?.books ?? 0, atLeast: count * 2 };
}

async function serveApp(sql: Sql, market: Market): Promise<{ url: string; close: () => void }> {
  const app = createApp({
    ...{ sql, log: silent, now: () => new Date(), publicUrl: 'http://127.0.0.1', version: 'bench' },
    ...{ defaultMarket: async () => market, mode: async () => 'simulated' as const, seeding: () => null },
    ...{ crawlNow: async () => ({ crawlIds: [] }), maxDataAgeMinutes: 180, actionsEnabled: false },
    webRoot,
  });
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

/** A signed-in page in a browser profile of its own, so that nothing is cached. */
export async function newPage(
  browser: Browser,
  url: string,
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  const headers = { origin: url };
  const login = await context.request.post(`${url}/api/session`, { data: { token }, headers });
  if (!login.ok()) throw new Error(`the login was answered with ${login.status()}`);
  return { page: await context.newPage(), context };
}

/** Returns the middle value, the upper one of two. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
