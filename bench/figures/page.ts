import type { Browser } from 'playwright-core';
import type { Bench, Measurement } from '../figure.ts';
import { measureScript } from './page-script.ts';
import { median, newPage, webRoot, withSite } from './page-site.ts';

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

/**
 * The built page in a real browser: the size of its script, the first chart after a click on a link, 10,000 points drawn,
 * the largest response for a chart, and the memory that 200 changes of view leave behind.
 */
export async function measurePage(bench: Bench): Promise<Measurement[]> {
  return await withSite(bench, async ({ browser, url, books }) => {
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
  });
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
