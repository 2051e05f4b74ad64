import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Rankings, Status, Trends } from '../../web/api.ts';
import { launchBrowser } from './browser.ts';
import { rankingDifferences, readRanking, readTrendTable, trendDifferences } from './shown-values.ts';

/** An Offerbook that serves the page and its API, with books of both types, none of which changes meanwhile. */
export interface RunningOfferbook {
  /** Base address without a trailing slash. */
  url: string;
  /** A token that may read. */
  token: string;
  close(): Promise<void>;
}

/** The promises of the page, checked in a real browser against the server that `startServer` starts. */
export function describePage(startServer: () => Promise<RunningOfferbook>): void {
  describe('page', () => {
    let server: RunningOfferbook;
    let browser: Browser;
    const contexts: BrowserContext[] = [];

    beforeAll(async () => {
      [server, browser] = await Promise.all([startServer(), launchBrowser()]);
    }, 60_000);
    afterEach(async () => {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
    });
    afterAll(async () => {
      await browser?.close();
      await server?.close();
    });

    async function newPage(): Promise<Page> {
      const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'America/New_York' });
      context.setDefaultTimeout(10_000);
      contexts.push(context);
      return context.newPage();
    }

    async function open(query: string, prepare?: (page: Page) => Promise<unknown>): Promise<Page> {
      const page = await newPage();
      const { url, token } = server;
      const login = await page.request.post(`${url}/api/session`, {
        data: { token },
        headers: { origin: url },
      });
      expect(login.status()).toBe(204);
      await prepare?.(page);
      await page.goto(`${url}/${query}`);
      return page;
    }

    async function ask<T>(path: string): Promise<T> {
      const response = await fetch(server.url + path, {
        headers: { authorization: `Bearer ${server.token}` },
      });
      expect(response.status, path).toBe(200);
      return (await response.json()) as T;
    }

    /** The path whose answer a section of the page shows, once nothing is on its way. */
    async function shownPath(page: Page, section: 'trend' | 'ranking'): Promise<string> {
      const card = page.locator(`section[aria-labelledby="${section}-title"][aria-busy="false"]`);
      return (await card.locator('.content:not(.stale)').getAttribute('data-path')) ?? '';
    }

    async function trendMismatches(page: Page): Promise<string[]> {
      const path = await shownPath(page, 'trend');
      return trendDifferences(await readTrendTable(page), await ask<Trends>(path));
    }

    async function rankingMismatches(page: Page): Promise<string[]> {
      const path = await shownPath(page, 'ranking');
      return rankingDifferences(await readRanking(page), await ask<Rankings>(path));
    }

    const bestModel = async () => {
      const { items } = await ask<Rankings>('/api/rankings?by=usdPerDlperfHour&limit=1');
      const gpuName = items[0]?.gpuName;
      if (gpuName === undefined) throw new Error('the server under test has no ranked offer');
      return gpuName;
    };

    it('shows a login to a stranger, refuses a wrong token and opens with the right one', async () => {
      const page = await newPage();
      await page.goto(server.url);
      const token = page.locator('input[name=token]');
      await token.fill(`${server.token}-wrong`);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByText('This token is not known here').waitFor();
      expect(await page.locator('#trend-title').count()).toBe(0);
      await token.fill(server.token);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.locator('.figures').waitFor();
    });

    it.each(['on-demand', 'bid'])('shows exactly the values that the API gives, %s', async (type) => {
      const gpu = await bestModel();
      for (const query of [`?type=${type}&range=all`, `?type=${type}&gpu=${encodeURIComponent(gpu)}`]) {
        const page = await open(query);
        await page.locator('.figures').waitFor();
        expect(await trendMismatches(page), query).toEqual([]);
        expect(await rankingMismatches(page), query).toEqual([]);
        expect((await readTrendTable(page)).length, query).toBeGreaterThan(0);
        expect((await readRanking(page)).length, query).toBeGreaterThan(0);
      }
    });

    it('shows a perturbed answer as it is, so that the comparison finds it', async () => {
      const page = await open('?range=all', async (page) => {
        await page.route('**/api/trends?*', (route) => perturb<Trends>(route, changeOneMedian));
        await page.route('**/api/rankings?*', (route) => perturb<Rankings>(route, swapFirstTwo));
      });
      await page.locator('.figures').waitFor();
      const trend = await trendMismatches(page);
      expect(trend).toHaveLength(1);
      expect(trend[0]).toContain(' median: ');
      expect(await rankingMismatches(page)).not.toEqual([]);
    });

    it('draws the trend', async () => {
      const page = await open('?range=all');
      await page.locator('.figures').waitFor();
      const drawn = () => page.locator('.chart canvas').evaluate(countDrawnPixels);
      await expect.poll(drawn, { timeout: 5_000 }).toBeGreaterThan(500);
    });

    it('says what is not live', async () => {
      const { mode } = await ask<Status>('/api/status');
      const page = await open('');
      await page.locator('.market').waitFor();
      for (const other of ['simulated', 'replay']) {
        expect(await page.locator(`[data-banner=${other}]`).count()).toBe(other === mode ? 1 : 0);
      }
    });

    it('keeps every choice in the address, asks anew, and goes back', async () => {
      const gpu = await bestModel();
      const page = await open('');
      await page.locator('.figures').waitFor();
      const asked = (part: Record<string, string>) =>
        page.waitForRequest((request) => {
          const { pathname, searchParams } = new URL(request.url());
          return (
            pathname === '/api/trends' &&
            Object.entries(part).every(([name, value]) => searchParams.get(name) === value)
          );
        });
      await Promise.all([asked({ gpuName: gpu }), page.selectOption('select[name=gpu]', gpu)]);
      await Promise.all([asked({ gpuName: gpu, type: 'bid' }), page.getByLabel('Bid').check()]);
      await Promise.all([asked({ from: '1970-01-01' }), page.getByLabel('All', { exact: true }).check()]);
      const search = () => Object.fromEntries(new URL(page.url()).searchParams);
      expect(search()).toEqual({ gpu, type: 'bid', range: 'all' });
      await page.getByText('minimum bid per GPU-hour').waitFor();
      await page.getByLabel(`Only ${gpu}`).check();
      await expect.poll(search).toEqual({ gpu, type: 'bid', range: 'all', rank: 'chosen' });
      await page.goBack();
      await page.goBack();
      await page.goBack();
      await expect.poll(search).toEqual({ gpu });
      expect(await page.getByLabel('On-demand').isChecked()).toBe(true);
    });

    it('lets the keyboard walk along the chart', async () => {
      const page = await open('?range=all');
      const chart = page.getByRole('slider');
      await chart.focus();
      const { series } = await ask<Trends>(await shownPath(page, 'trend'));
      const points = series[0]?.points ?? [];
      await chart.press('Home');
      await page.locator(`.figures[data-point="${points[0]?.t}"]`).waitFor();
      await chart.press('End');
      await page.locator(`.figures[data-point="${points.at(-1)?.t}"]`).waitFor();
    });

    it('shows the progress of the seeding, and its end', async () => {
      let seeding: Status['seeding'] = { done: 3, total: 12 };
      const page = await open('', (page) =>
        page.route('**/api/status', (route) => perturb<Status>(route, (status) => ({ ...status, seeding }))),
      );
      const progress = page.getByRole('progressbar');
      expect(await progress.getAttribute('value')).toBe('3');
      seeding = null;
      await progress.waitFor({ state: 'detached' });
    });

    const alarms = (page: Page) => page.locator('.alarm').allTextContents();

    it('sounds no alarm while all is well', async () => {
      const page = await open('');
      await page.locator('.figures').waitFor();
      expect(await alarms(page)).toEqual([]);
    });

    it('says above everything that the data is old, and that the last crawl failed', async () => {
      const { newestBooks } = await ask<Status>('/api/status');
      const [{ type, observedAt } = { type: 'bid' as const, observedAt: '' }] = newestBooks;
      const lastEnded: Status['lastEnded'] = [
        { type, endedAt: observedAt, outcome: 'failed', reason: 'the market answered 502 five times' },
      ];
      const page = await open('', (page) =>
        page.route('**/api/status', (route) =>
          perturb<Status>(route, (status) => ({
            ...status,
            ...{ mode: 'live', dataAgeMinutes: 400, maxDataAgeMinutes: 180, lastEnded },
          })),
        ),
      );
      await page.locator('.figures').waitFor();
      const texts = (await alarms(page)).join('\n');
      for (const part of [
        `Old data: the newest complete book of ${type} offers is 6 h old`,
        'answered 502 five times',
      ]) {
        expect(texts).toContain(part);
      }
      const [alarm, chart] = [page.locator('.alarm').first(), page.locator('.chart').first()];
      const [top, chartTop] = [(await alarm.boundingBox())?.y ?? 9e9, (await chart.boundingBox())?.y ?? 0];
      expect(top).toBeLessThan(Math.min(chartTop, 200));
      expect(await page.getByRole('alert').count()).toBe(await page.locator('.alarm').count());
    });

    it('says that the server does not answer, lets the age grow meanwhile, and goes on when it does', async () => {
      const page = await open('', async (page) => {
        await page.clock.install();
        await page.route('**/api/status', (route) =>
          perturb<Status>(route, (status) => ({
            ...status,
            mode: 'live',
            dataAgeMinutes: 1,
            maxDataAgeMinutes: 60,
          })),
        );
      });
      await page.locator('.figures').waitFor();
      expect(await alarms(page)).toEqual([]);
      await page.unroute('**/api/status');
      await page.route('**/api/status', (route) => route.abort('connectionrefused'));
      await page.clock.fastForward('00:31');
      await page.getByText('Offerbook does not answer').waitFor();
      await page.clock.fastForward('01:00:00');
      await page.getByText('Old data: the newest complete book').first().waitFor();
      expect(await page.locator('.age').textContent()).toContain('61 min ago');
      await page.unroute('**/api/status');
      await page.clock.fastForward('00:06');
      await page.getByText('Offerbook does not answer').waitFor({ state: 'detached' });
      await expect.poll(() => alarms(page)).toEqual([]);
    });

    it('shows what the API says went wrong, and tries again', async () => {
      const detail = 'The database does not answer.';
      const page = await open('', (page) =>
        page.route('**/api/trends?*', (route) =>
          route.fulfill({
            status: 503,
            contentType: 'application/problem+json',
            json: { title: 'No', detail },
          }),
        ),
      );
      await page.getByText(detail).waitFor();
      await page.unroute('**/api/trends?*');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.locator('.figures').waitFor();
    });

    it('asks no one else, keeps its content security policy and fits 130 KB of gzipped script', async () => {
      const foreign: string[] = [];
      const complaints: string[] = [];
      const scripts: Promise<Buffer>[] = [];
      const page = await open('', async (page) => {
        page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
        page.on('pageerror', (error) => complaints.push(error.message));
        page.on('request', (request) => {
          if (!request.url().startsWith(`${server.url}/`)) foreign.push(request.url());
        });
        page.on('response', (response) => {
          if (response.request().resourceType() === 'script') scripts.push(response.body());
        });
      });
      await page.locator('.figures').waitFor();
      await page.locator('.chart').hover();
      const policy = (await page.request.get(server.url)).headers()['content-security-policy'];
      expect(policy).toContain("default-src 'self'");
      expect(policy).not.toContain('unsafe');
      expect(foreign).toEqual([]);
      expect(complaints).toEqual([]);
      const bytes = (await Promise.all(scripts)).map((script) => gzipSync(script).length);
      expect(bytes.length).toBeGreaterThan(0);
      expect(bytes.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(130 * 1024);
    });

    it.each([320, 390, 768, 1440])('never scrolls sideways, %s pixels wide', async (width) => {
      const page = await open('?range=all');
      await page.setViewportSize({ width, height: 800 });
      await page.locator('#ranking').waitFor();
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(excess).toBeLessThanOrEqual(0);
    });
  });
}

async function perturb<T>(route: Route, change: (answer: T) => T): Promise<void> {
  const response = await route.fetch();
  await route.fulfill({ response, json: change((await response.json()) as T) });
}

function changeOneMedian(answer: Trends): Trends {
  const points = answer.series[0]?.points ?? [];
  const middle = points[Math.floor(points.length / 2)];
  if (middle !== undefined) middle.median = (middle.median ?? 0) + 1e-6;
  return answer;
}

function swapFirstTwo(answer: Rankings): Rankings {
  const [first, second, ...rest] = answer.items;
  return first && second ? { ...answer, items: [second, first, ...rest] } : answer;
}

function countDrawnPixels(element: SVGElement | HTMLElement): number {
  if (!(element instanceof HTMLCanvasElement)) return 0;
  const { data } = element.getContext('2d')?.getImageData(0, 0, element.width, element.height) ?? {
    data: [],
  };
  let drawn = 0;
  for (let alpha = 3; alpha < data.length; alpha += 4) if ((data[alpha] ?? 0) > 0) drawn += 1;
  return drawn;
}
