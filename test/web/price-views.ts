import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Crawl, ExplainedCrawl, Market, Rankings, Status, Trends } from '../../web/core/api.ts';
import { shownRows } from '../../web/market/market-rows.ts';
import { type PageFixture, patiently, perturb, settled, shownPath, widths } from './page-fixture.ts';
import {
  marketDifferences,
  rankingDifferences,
  readRanking,
  readTrendTable,
  trendDifferences,
} from './shown-values.ts';

/** The promises of the views of prices, checked in a real browser. */
export function describePriceViews({ server, newPage, open, ask }: PageFixture): void {
  describe('views of prices', () => {
    async function trendMismatches(page: Page): Promise<string[]> {
      const path = await shownPath(page, 'trend');
      return trendDifferences(await readTrendTable(page), await ask<Trends>(path));
    }

    async function rankingMismatches(page: Page): Promise<string[]> {
      const path = await shownPath(page, 'deals');
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
      await page.goto(server().url);
      const token = page.locator('input[name=token]');
      await token.fill(`${server().token}-wrong`);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByText('This token is not known here').waitFor();
      expect(await page.locator('#models').count()).toBe(0);
      await token.fill(server().token);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.locator('#models tbody tr').first().waitFor();
    });

    it.each([
      ['on-demand', 1440],
      ['bid', 390],
    ] as const)('shows exactly the values that the API gives, %s, %s pixels wide', async (type, width) => {
      const gpu = encodeURIComponent(await bestModel());
      const page = await open(`/trends?type=${type}&range=all`, undefined, width);
      for (const query of [`?type=${type}&range=all`, `?type=${type}&gpuName=${gpu}&minReliability=0.5`]) {
        await page.goto(`${server().url}/trends${query}`);
        await page.locator('.quotes tbody tr').first().waitFor();
        expect(await trendMismatches(page), query).toEqual([]);
        expect((await readTrendTable(page)).length, query).toBeGreaterThan(0);
        await page.goto(`${server().url}/deals${query.replace('&range=all', '&by=usdPerGpuHour')}`);
        expect(await rankingMismatches(page), query).toEqual([]);
        expect((await readRanking(page)).length, query).toBeGreaterThan(0);
      }
    });

    it('shows a perturbed answer as it is, so that the comparison finds it', async () => {
      const page = await open('/trends?range=all', async (page) => {
        await page.route('**/api/trends?*', (route) => perturb<Trends>(route, changeOneMedian));
        await page.route('**/api/rankings?*', (route) => perturb<Rankings>(route, swapFirstTwo));
      });
      const trend = await trendMismatches(page);
      expect(trend).toHaveLength(1);
      expect(trend[0]).toContain(' median: ');
      await page.goto(`${server().url}/deals`);
      expect(await rankingMismatches(page)).not.toEqual([]);
    });

    it.each(widths)(
      'shows every model with the API’s figures, found by name and sorted, %s wide',
      async (width) => {
        const page = await open('/', undefined, width);
        await page.locator('#models tbody tr').first().waitFor();
        const path = await shownPath(page, 'market');
        const { items } = await ask<Market>(path);
        expect(items.length).toBeGreaterThan(3);
        const byGpus = shownRows(items, '', { key: 'gpus', turned: false });
        expect(await marketDifferences(page, byGpus)).toEqual([]);
        await page.getByRole('columnheader', { name: 'median' }).getByRole('button').click();
        await expect.poll(() => new URL(page.url()).search, patiently).toBe('?sort=median');
        const cheapest = shownRows(items, '', { key: 'median', turned: false });
        expect(await marketDifferences(page, cheapest)).toEqual([]);
        const wanted = items[0]?.gpuName ?? '';
        await page.getByRole('searchbox').fill(wanted.toLowerCase());
        const found = cheapest.filter(({ gpuName }) => gpuName.toLowerCase().includes(wanted.toLowerCase()));
        await expect.poll(() => page.locator('#models tbody tr').count(), patiently).toBe(found.length);
        await page.route('**/api/market?*', (route) =>
          perturb<Market>(route, (market) => ({
            ...market,
            items: market.items.map((row) => ({ ...row, median: (row.median ?? 0) + 1 })),
          })),
        );
        await page.reload();
        await page.locator('#models tbody tr').first().waitFor();
        expect(await marketDifferences(page, found)).not.toEqual([]);
      },
    );

    it.each(widths)(
      'draws several models at both types, each with its figures as a table, %s wide',
      async (width) => {
        const items = (await ask<Rankings>('/api/rankings?limit=1000')).items;
        const [first = '', second = ''] = [...new Set(items.map(({ gpuName }) => gpuName))];
        const query = new URLSearchParams([
          ['gpuName', first],
          ['gpuName', second],
          ['type', 'on-demand'],
          ['type', 'bid'],
        ]);
        const page = await open(`/trends?${query}`, undefined, width);
        const rows = page.locator('.quotes tbody tr');
        await rows.first().waitFor();
        expect(await rows.locator('th').allTextContents()).toEqual([
          ...[`${first} on-demand`, `${first} bid`, `${second} on-demand`, `${second} bid`],
        ]);
        const paths = (await shownPath(page, 'trend')).split('\n');
        expect(paths).toHaveLength(4);
        await page.locator('details.values > summary').click();
        for (const [index, path] of paths.entries()) {
          await page.locator('select[name=line]').selectOption({ index });
          expect(trendDifferences(await readTrendTable(page), await ask<Trends>(path)), path).toEqual([]);
        }
      },
    );

    it('says when in the week a model is cheapest, with the API’s medians', async () => {
      const gpuName = await bestModel();
      const page = await open(`/trends?gpuName=${encodeURIComponent(gpuName)}`);
      const [asked] = await Promise.all([
        page.waitForRequest('**/api/patterns?*'),
        page.getByText('When in the week it is cheapest').click(),
      ]);
      const { pathname, search } = new URL(asked.url());
      const { hoursOfWeek } = await ask<{ hoursOfWeek: { median: number }[] }>(pathname + search);
      await page.locator('.week').waitFor();
      const cells = page.locator('.week td[data-value]');
      const shown = await cells.evaluateAll((found) =>
        found.map((cell) => Number((cell as HTMLElement).dataset.value)),
      );
      expect(hoursOfWeek.length).toBeGreaterThan(3);
      expect(shown.toSorted()).toEqual(hoursOfWeek.map(({ median }) => median).toSorted());
    });

    it('draws the trend', async () => {
      const page = await open('/trends?range=all');
      await page.locator('.quotes tbody tr').first().waitFor();
      const drawn = () => page.locator('.chart canvas').evaluate(countDrawnPixels);
      await expect.poll(drawn, { timeout: 60_000 }).toBeGreaterThan(500);
    });

    it('says what is not live', async () => {
      const { mode } = await ask<Status>('/api/status');
      const page = await open('/trends');
      await page.locator('.market').waitFor();
      for (const other of ['simulated', 'replay']) {
        expect(await page.locator(`[data-banner=${other}]`).count()).toBe(other === mode ? 1 : 0);
      }
    });

    it('keeps every choice in the address, asks anew, and goes back', async () => {
      const gpu = await bestModel();
      const page = await open('/trends');
      await page.locator('.quotes tbody tr').first().waitFor();
      const asked = (part: Record<string, string>) =>
        page.waitForRequest((request) => {
          const { pathname, searchParams } = new URL(request.url());
          return (
            pathname === '/api/trends' &&
            Object.entries(part).every(([name, value]) => searchParams.get(name) === value)
          );
        });
      const search = () => Object.fromEntries(new URL(page.url()).searchParams);
      await page.locator('.picker summary').click();
      await page.getByRole('searchbox').fill(gpu.toLowerCase());
      await Promise.all([asked({ gpuName: gpu }), page.getByLabel(gpu, { exact: true }).check()]);
      await page.keyboard.press('Escape');
      await Promise.all([asked({ gpuName: gpu, type: 'bid' }), page.getByLabel('Bid').check()]);
      await page.getByLabel('On-demand').uncheck();
      await Promise.all([asked({ from: '1970-01-01' }), page.getByLabel('All', { exact: true }).check()]);
      expect(search()).toEqual({ gpuName: gpu, type: 'bid', range: 'all' });
      await page.goBack();
      await page.goBack();
      await page.goBack();
      await expect.poll(search, patiently).toEqual({ gpuName: gpu });
      expect(await page.getByLabel('On-demand').isChecked()).toBe(true);
      expect(await page.getByLabel('Bid').isChecked()).toBe(false);
      await page.getByRole('navigation').getByText('Deals').click();
      await page.locator('#ranking').waitFor();
      expect(new URL(page.url()).pathname).toBe('/deals');
      await page.getByLabel('Rank by').selectOption('usdPerGpuHour');
      await expect.poll(search, patiently).toEqual({ by: 'usdPerGpuHour' });
    });

    it('lets the keyboard walk along the chart', async () => {
      const page = await open('/trends?range=all');
      const chart = page.getByRole('slider');
      await chart.focus();
      const { series } = await ask<Trends>(await shownPath(page, 'trend'));
      const points = series[0]?.points ?? [];
      await chart.press('Home');
      await page.locator(`.quotes[data-point="${points[0]?.t}"]`).waitFor();
      await chart.press('End');
      await page.locator(`.quotes[data-point="${points.at(-1)?.t}"]`).waitFor();
    });

    it('zooms from the keyboard and by dragging, which the address says, and resets', async () => {
      const page = await open('/trends?range=all');
      const chart = page.getByRole('slider');
      await page.locator('.quotes tbody tr').first().waitFor();
      await chart.focus();
      await chart.press('Home');
      await chart.press('+');
      const length = () => {
        const { searchParams } = new URL(page.url());
        return Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '');
      };
      await expect.poll(length, patiently).toBeGreaterThan(0);
      const once = length();
      expect(await trendMismatches(page)).toEqual([]);
      const { x, y, width, height } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      await page.mouse.move(x + width * 0.2, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width * 0.6, y + height / 2, { steps: 3 });
      await page.mouse.up();
      await expect.poll(length, patiently).toBeLessThan(once);
      expect(length()).toBeGreaterThan(0);
      await page.getByRole('button', { name: 'Reset the range' }).click();
      await expect.poll(() => new URL(page.url()).search, patiently).toBe('?range=all');
    });

    it.each(widths)('tells each crawl with its certificate in words, %s wide', async (width) => {
      const page = await open('/crawls', undefined, width);
      await page.locator('#crawls tbody tr').first().waitFor();
      const { items } = await ask<{ items: Crawl[] }>('/api/crawls?limit=25');
      // Bills may be read meanwhile, books not.
      const [newest] = items.filter(({ kind }) => kind === 'offers');
      const row = page.locator(`#crawls tr[data-crawl="${newest?.id}"]`);
      const offers = row.locator('[data-field=offers]');
      expect(await offers.getAttribute('data-value')).toBe(String(newest?.book?.offers));
      await row.getByRole('link').click();
      const { explanation } = await ask<ExplainedCrawl>(`/api/crawls/${newest?.id}`);
      await page.locator('.sentences').waitFor();
      expect(await page.locator('.sentences li').allTextContents()).toEqual(explanation);
      expect(explanation.length).toBeGreaterThan(0);
      expect(new URL(page.url()).pathname).toBe(`/crawls/${newest?.id}`);
      await page.route('**/api/crawls?*', (route) =>
        perturb<{ items: Crawl[] }>(route, ({ items, ...rest }) => ({
          ...rest,
          items: items.map((crawl) =>
            crawl.book === null ? crawl : { ...crawl, book: { ...crawl.book, offers: 7 } },
          ),
        })),
      );
      await page.reload();
      await expect.poll(() => offers.getAttribute('data-value'), patiently).toBe('7');
    });

    it('leads from the simulator to a real market in three steps', async () => {
      const page = await open('/trends');
      await page.getByRole('link', { name: /three steps/ }).click();
      await page.getByRole('heading', { name: 'First steps' }).waitFor();
      expect(await page.locator('.steps > li').count()).toBe(3);
      expect(await page.locator('.steps > li.done').count()).toBe(1);
    });

    it('shows the progress of the seeding, and its end', async () => {
      let seeding: Status['seeding'] = { done: 3, total: 12 };
      const page = await open('/trends', (page) =>
        page.route('**/api/status', (route) => perturb<Status>(route, (status) => ({ ...status, seeding }))),
      );
      const progress = page.getByRole('progressbar');
      expect(await progress.getAttribute('value')).toBe('3');
      seeding = null;
      await progress.waitFor({ state: 'detached' });
    });

    const alarms = (page: Page) => page.locator('.alarm').allTextContents();

    it('sounds no alarm while all is well', async () => {
      const page = await open('/trends');
      await page.locator('.quotes tbody tr').first().waitFor();
      expect(await alarms(page)).toEqual([]);
    });

    it('says above everything that the data is old, and that the last crawl failed', async () => {
      const { newestBooks } = await ask<Status>('/api/status');
      const [{ type, observedAt } = { type: 'bid' as const, observedAt: '' }] = newestBooks;
      const lastEnded: Status['lastEnded'] = [
        { type, endedAt: observedAt, outcome: 'failed', reason: 'the market answered 502 five times' },
      ];
      const page = await open('/trends', (page) =>
        page.route('**/api/status', (route) =>
          perturb<Status>(route, (status) => ({
            ...status,
            ...{ mode: 'live', dataAgeMinutes: 400, maxDataAgeMinutes: 180, lastEnded },
          })),
        ),
      );
      await page.locator('.quotes tbody tr').first().waitFor();
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
      const page = await open('/trends', async (page) => {
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
      await page.locator('.quotes tbody tr').first().waitFor();
      expect(await alarms(page)).toEqual([]);
      await page.unroute('**/api/status');
      await page.route('**/api/status', (route) => route.abort('connectionrefused'));
      await page.clock.fastForward('00:31');
      await page.getByText('Offerbook does not answer').first().waitFor();
      await page.clock.fastForward('01:00:00');
      await page.getByText('Old data: the newest complete book').first().waitFor();
      expect(await page.locator('.age').textContent()).toContain('61 min ago');
      await page.unroute('**/api/status');
      await page.clock.fastForward('00:06');
      await page.getByText('Offerbook does not answer').first().waitFor({ state: 'detached' });
      await expect.poll(() => alarms(page), patiently).toEqual([]);
    });

    it('shows what the API says went wrong, and tries again', async () => {
      const detail = 'The database does not answer.';
      const page = await open('/trends', (page) =>
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
      await page.locator('.quotes tbody tr').first().waitFor();
    });

    it('asks no one else, keeps its content security policy and fits 130 KB of gzipped script', async () => {
      const foreign: string[] = [];
      const complaints: string[] = [];
      const scripts: Promise<Buffer>[] = [];
      const page = await open('/trends', async (page) => {
        page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
        page.on('pageerror', (error) => complaints.push(error.message));
        page.on('request', (request) => {
          if (!request.url().startsWith(`${server().url}/`)) foreign.push(request.url());
        });
        page.on('response', (response) => {
          if (response.request().resourceType() === 'script') scripts.push(response.body());
        });
      });
      await page.locator('.quotes tbody tr').first().waitFor();
      await page.locator('.chart').hover();
      const policy = (await page.request.get(server().url)).headers()['content-security-policy'];
      expect(policy).toContain("default-src 'self'");
      expect(policy).not.toContain('unsafe');
      expect(foreign).toEqual([]);
      expect(complaints).toEqual([]);
      const bytes = (await Promise.all(scripts)).map((script) => gzipSync(script).length);
      expect(bytes.length).toBeGreaterThan(0);
      expect(bytes.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(130 * 1024);
    });

    it.each([320, 390, 768, 1440])('never scrolls sideways, %s pixels wide', async (width) => {
      const page = await open('/trends?range=all');
      await page.setViewportSize({ width, height: 800 });
      for (const path of ['/market', '/trends?range=all', '/deals?minVramGb=1', '/crawls', '/start']) {
        await page.goto(server().url + path);
        await settled(page);
        const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(excess, path).toBeLessThanOrEqual(0);
      }
    });
  });
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
