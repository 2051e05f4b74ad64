import type { Browser, Page } from 'playwright-core';
import type { Bench, Measurement, Size } from '../figure.ts';
import { median, newPage, withSite } from './page-site.ts';

const rounds = 30;
const loads = 15;
/** Views in the order in which they are opened, with what is there once their content is. */
const views = [
  { label: 'Market', content: '#models tbody tr' },
  { label: 'Deals', content: '#ranking tbody tr' },
  { label: 'Trends', content: '.quotes tbody tr' },
  { label: 'Today', content: '#cheapest-offers tbody tr' },
] as const;

/** Times that a reader waits: a change of view from a click to its content, and Today's load with an empty cache. */
export async function measurePageViews(bench: Bench): Promise<Measurement[]> {
  return await withSite(bench, async ({ browser, url, books }) => {
    bench.note('page-views: changes of view');
    const changes = await measureChanges(browser, url, bench.sized(rounds), books);
    bench.note('page-views: Today');
    return [changes, await measureToday(browser, url, bench.sized(loads), books)];
  });
}

/**
 * The slowest view's median time from the click on its link until the frame with its heading and content is drawn, which
 * may be the last answer while the next one is read.
 */
async function measureChanges(
  browser: Browser,
  url: string,
  count: number,
  books: Size,
): Promise<Measurement> {
  const { page, context } = await newPage(browser, url);
  await page.goto(`${url}/today`);
  await page.evaluate(settledAfter, { label: null, content: '#cheapest-offers tbody tr' });
  const times = new Map<string, number[]>(views.map(({ label }) => [label, []]));
  for (let round = 0; round <= count; round += 1) {
    for (const view of views) {
      const ms = await page.evaluate(settledAfter, view);
      // In the first round the code of the views is loaded.
      if (round > 0) times.get(view.label)?.push(ms);
      await rest(page);
    }
  }
  await context.close();
  const medians = [...times].map(([label, each]) => ({ label, ms: median(each), all: each }));
  return {
    ...{
      name: 'page-view-change',
      value: Math.max(...medians.map(({ ms }) => ms)),
      unit: 'ms',
      yardstick: null,
    },
    sizes: [books, { what: 'changes of view', count: count * views.length, atLeast: count * views.length }],
    details: medians.map(
      ({ label, ms, all }) =>
        `${label}: median ${ms.toFixed(0)} ms, ${Math.min(...all).toFixed(0)} to ${Math.max(...all).toFixed(0)} ms`,
    ),
  };
}

/** Answers are cached for a second, and late ones of a view would count as those of the next. */
async function rest(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(100);
}

async function measureToday(browser: Browser, url: string, count: number, books: Size): Promise<Measurement> {
  const times: number[] = [];
  for (let load = 0; load < count; load += 1) {
    const { page, context } = await newPage(browser, url);
    await page.goto(`${url}/today`, { waitUntil: 'commit' });
    await page.evaluate(settledAfter, { label: null, content: '#cheapest-offers tbody tr' });
    await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null, null, {
      polling: 'raf',
    });
    times.push(await page.evaluate(() => performance.now()));
    await context.close();
  }
  return {
    ...{ name: 'page-today', value: median(times), unit: 'ms', yardstick: null },
    sizes: [books, { what: 'loads with an empty cache', count: times.length, atLeast: count }],
    details: [`each: ${times.map(Math.round).join(', ')} ms`],
  };
}

/**
 * Follows the link with a label, if there is one, and returns the milliseconds until the frame is drawn in which the view
 * has its heading and content, and no part has a placeholder; rejects after a minute.
 */
function settledAfter({ label, content }: { label: string | null; content: string }): Promise<number> {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('nav[aria-label=Main] a')];
  const link = links.find(({ textContent }) => textContent === label);
  const begun = performance.now();
  link?.click();
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const isThere =
        (label === null || document.querySelector('nav [aria-current]')?.textContent === label) &&
        document.querySelector('h1') !== null &&
        document.querySelector(content) !== null &&
        document.querySelector('.notice.loading, .content.stale') === null;
      // A message is delivered once the frame, its layout included, is drawn.
      if (isThere) {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - begun);
        port2.postMessage(null);
      } else if (performance.now() - begun > 60_000)
        reject(new Error(`${label}: ${document.body.textContent.slice(0, 300)}`));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}
