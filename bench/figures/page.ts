import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ensureMarket, type Market } from '../../src/books/markets.sql.ts';
import { seedHistory } from '../../src/books/seed-history.ts';
import type { Sql } from '../../src/database/connection.ts';
import { pointStatistics } from '../../src/prices/statistics/point-statistics.ts';
import { createApp } from '../../src/service/http/app.ts';
import { ensureAdminToken } from '../../src/service/sign-in/token-changes.sql.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { launchBrowser } from '../../test/web/browser.ts';
import type { Bench, Measurement } from '../figure.ts';
import { measureScript } from './page-script.ts';

const webRoot = fileURLToPath(new URL('../../web/dist/', import.meta.url));
const token = 'a-token-of-the-bench';
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const drawnPoints = 10_000;
const drawings = 5;
const firstCharts = 5;
const viewChanges = 200;
const firstRounds = 5;
/** The largest chart requests: widest ranges, finest intervals. */
const chartQueries = [
  'range=24h',
  '',
  'range=1y',
  'range=all',
  'range=all&bucket=book',
  'range=7d&bucket=book',
  'range=1y&type=on-demand&type=bid',
  'range=90d&bucket=1h&type=on-demand&type=bid',
  'range=7d&bucket=book&type=on-demand&type=bid',
];
const hours = 30 * 24;

/**
 * The built page in a real browser: the size of its script, the first chart after a click on a link, 10,000 points drawn,
 * the largest response for a chart, and the memory that 200 changes of view leave behind.
 */
export async function measurePage(bench: Bench): Promise<Measurement[]> {
  if (!existsSync(webRoot)) throw new Error('the page is not built: npx vite build web');
  bench.note(`page: ${hours} books of each type`);
  return await bench.withDatabase(async (sql) => {
    await ensureAdminToken(sql, token, { by: 'bench', at: new Date() });
    const market = await ensureMarket(sql, 'bench', 'simulated');
    const books = await seedBooks(sql, market.id, bench);
    const { url, close } = await serveApp(sql, market);
    const browser = await launchBrowser();
    try {
      const measured: Measurement[] = [];
      for (const [what, measure] of [
        ['script', () => measureScript(`${webRoot}assets`)],
        ['first chart', () => measureFirstChart(browser, url, books)],
        ['drawing', () => measureDrawing(browser, url)],
        ['answers', () => measureAnswers(browser, url, books)],
        ['memory', () => measureMemory(browser, url, bench.sized(viewChanges))],
      ] as const) {
        bench.note(`page: ${what}`);
        measured.push(await measure());
      }
      return measured;
    } finally {
      await browser.close();
      close();
    }
  });
}

async function seedBooks(sql: Sql, marketId: number, bench: Bench) {
  const count = bench.sized(hours);
  const simulator = createSimulator({ offersPerType: 200 });
  const now = Date.now();
  await seedHistory(sql, {
    ...{
      marketId,
      allocatedStorageGb: 8,
      statistics: pointStatistics,
      now: () => new Date(),
      newId: () => crypto.randomUUID(),
    },
    recordsAt: (type, at) =>
      (
        simulator.search({ type, limit: 1_000, allocated_storage: 8 }, at).body as {
          offers: readonly unknown[];
        }
      ).offers,
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
async function newPage(browser: Browser, url: string): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  const headers = { origin: url };
  const login = await context.request.post(`${url}/api/session`, { data: { token }, headers });
  if (!login.ok()) throw new Error(`the login was answered with ${login.status()}`);
  return { page: await context.newPage(), context };
}

/** Time from the request for the page to the drawn chart, measured by the page. */
async function measureFirstChart(
  browser: Browser,
  url: string,
  books: Measurement['sizes'][number],
): Promise<Measurement> {
  const times: number[] = [];
  for (let round = 0; round < firstCharts; round += 1) {
    const { page, context } = await newPage(browser, url);
    await page.goto(`${url}/trends`);
    times.push(await page.evaluate(firstDrawing));
    await context.close();
  }
  return {
    ...{ name: 'page-first-chart', value: median(times), unit: 'ms', yardstick: null },
    sizes: [books, { what: 'loads with an empty cache', count: times.length, atLeast: firstCharts }],
    details: [`each: ${times.map(Math.round).join(', ')} ms`],
  };
}

/** Milliseconds from the navigation to the first drawing with points; rejects after two minutes without one. */
function firstDrawing(): Promise<number> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const [first] = performance.getEntriesByName('draw-trend');
      if (first !== undefined && document.querySelector('.quotes tbody tr') !== null) {
        resolve(first.startTime + first.duration);
      } else if (performance.now() > 120_000) {
        reject(new Error(`no chart was drawn; the page says: ${document.body.textContent.slice(0, 500)}`));
      } else setTimeout(look, 5);
    };
    look();
  });
}

async function measureDrawing(browser: Browser, url: string): Promise<Measurement> {
  const { page, context } = await newPage(browser, url);
  await page.route('**/api/trends?*', async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { series: { key: string; points: unknown[] }[] };
    await route.fulfill({ response, json: { ...answer, series: [{ key: '*', points: manyPoints() }] } });
  });
  const times: number[] = [];
  for (let round = 0; round < drawings; round += 1) {
    await page.goto(`${url}/trends?range=all`);
    await page.evaluate(firstDrawing);
    times.push(await page.evaluate(() => performance.getEntriesByName('draw-trend').at(-1)?.duration ?? 1e9));
  }
  await context.close();
  return {
    ...{ name: 'page-draw-10000', value: median(times), unit: 'ms', yardstick: null },
    sizes: [{ what: 'points', count: drawnPoints, atLeast: drawnPoints }],
    details: [`each: ${times.map((ms) => ms.toFixed(1)).join(', ')} ms; median, minimum, band and supply`],
  };
}

function manyPoints(): object[] {
  const start = Date.UTC(2025, 0, 1);
  return Array.from({ length: drawnPoints }, (_, index) => {
    const median = 0.4 + 0.1 * Math.sin(index / 300) + 0.02 * Math.sin(index * 7.3);
    const at = (share: number) => median * share;
    return {
      ...{ t: new Date(start + index * 3_600_000).toISOString(), books: 1, observations: 90, offers: 90 },
      ...{ gpus: 200, machines: 60, physicalGpus: 150 + (index % 40), physicalGpusIsLowerBound: false },
      ...{ min: at(0.6), p10: at(0.8), p25: at(0.9), median, p75: at(1.1), p90: at(1.3), max: at(2) },
    };
  });
}

/** Size of the largest response for a chart over all choices, as sent. */
async function measureAnswers(
  browser: Browser,
  url: string,
  books: Measurement['sizes'][number],
): Promise<Measurement> {
  const { page, context } = await newPage(browser, url);
  const sizes: number[] = [];
  page.on('requestfinished', (request) => {
    if (!request.url().includes('/api/trends?')) return;
    pending.push(request.sizes().then(({ responseBodySize }) => void sizes.push(responseBodySize)));
  });
  const pending: Promise<void>[] = [];
  for (const query of chartQueries) {
    await page.goto(`${url}/trends?${query}`);
    await page.locator('.quotes tbody tr').first().waitFor();
    await page.waitForLoadState('networkidle');
  }
  await Promise.all(pending);
  await context.close();
  return {
    ...{ name: 'page-largest-answer', value: Math.max(...sizes) / 1024, unit: 'KB', yardstick: null },
    sizes: [books, { what: 'answers', count: sizes.length, atLeast: chartQueries.length }],
    details: [],
  };
}

/**
 * Returns the memory that this many changes of view leave behind. The first rounds are left out, because the browser then
 * compiles the views' code, which stays in memory as long as the page is open.
 */
async function measureMemory(browser: Browser, url: string, changes: number): Promise<Measurement> {
  const { page, context } = await newPage(browser, url);
  const session = await context.newCDPSession(page);
  const names = ['Trends', 'Deals', 'Crawls', 'Settings', 'Watches', 'Spend', 'Instances', 'Market'];
  await page.goto(`${url}/market`);
  const visit = async (name: string): Promise<void> => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
    await page.locator(`nav[aria-label=Main] [aria-current]:text-is("${name}")`).waitFor();
    await page.waitForFunction(() => document.querySelector('.notice.loading, [aria-busy="true"]') === null);
  };
  const held = async (): Promise<{ mb: number; nodes: number; listeners: number }> => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
    return { mb: usedSize / 1024 / 1024, nodes, listeners: jsEventListeners };
  };
  for (let round = 0; round < firstRounds; round += 1) for (const name of names) await visit(name);
  const before = await held();
  for (let change = 0; change < changes; change += 1) await visit(names[change % names.length] ?? 'Market');
  const after = await held();
  await context.close();
  return {
    ...{ name: 'page-memory', value: Math.max(0, after.mb - before.mb), unit: 'MB', yardstick: null },
    sizes: [{ what: 'changes of view', count: changes, atLeast: changes }],
    details: [
      `heap ${before.mb.toFixed(2)} → ${after.mb.toFixed(2)} MB, nodes ${before.nodes} → ${after.nodes}, ` +
        `listeners ${before.listeners} → ${after.listeners}`,
    ],
  };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
