import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Rankings, Trends } from '../../web/core/api.ts';
import { type PageFixture, patiently, perturb, shownPath, widths } from './page-fixture.ts';
import {
  rankingDifferences,
  readRanking,
  readTrendTable,
  supplyDifferences,
  trendDifferences,
} from './shown-values.ts';

/** Tests of trends and rankings in a real browser. */
export function describeTrendViews({ server, open, ask }: PageFixture): void {
  describe('views of prices over time', () => {
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

    it.each([
      ['on-demand', 1440],
      ['bid', 390],
    ] as const)('show exactly the values of the API, %s, %s pixels wide', async (type, width) => {
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

    it('show a modified response unchanged, so that the comparison detects it', async () => {
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
      "draw several models at both types, with a table of each one's figures, %s wide",
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
        const lines = [`${first} on-demand`, `${first} bid`, `${second} on-demand`, `${second} bid`];
        const together = [first, second].map((gpuName) => `${gpuName}, all types`);
        expect(await rows.locator('th').allTextContents()).toEqual([...lines, ...together]);
        const paths = (await shownPath(page, 'trend')).split('\n');
        expect(paths).toHaveLength(4);
        await page.locator('details.values > summary').click();
        const line = page.locator('select[name=line]');
        for (const [index, path] of paths.entries()) {
          await line.selectOption({ index });
          expect(trendDifferences(await readTrendTable(page), await ask<Trends>(path)), path).toEqual([]);
        }
        const drawn = await Promise.all(paths.map((path) => ask<Trends>(path)));
        const { from = '', bucket = '' } = drawn[0] ?? {};
        // Each line ends with the newest book of its type, what is counted together with the newest of all.
        const to =
          drawn
            .map((each) => each.to)
            .sort()
            .at(-1) ?? '';
        const { supply } = await ask<Trends>(
          `/api/trends?${query}&${new URLSearchParams({ from, to, bucket })}`,
        );
        const counted = async (label: string) => {
          await line.selectOption(label);
          await page.getByText(`${label}: mean per round`).waitFor();
          return await readTrendTable(page);
        };
        for (const [place, { points }] of supply.entries()) {
          expect(points.length).toBeGreaterThan(3);
          await expect
            .poll(async () => supplyDifferences(await counted(together[place] ?? ''), points), patiently)
            .toEqual([]);
        }
        await page.route(
          ({ pathname, searchParams }) =>
            pathname === '/api/trends' && searchParams.getAll('type').length > 1,
          (route) => perturb<Trends>(route, countOneMoreGpu),
        );
        await page.reload();
        await rows.first().waitFor();
        await page.locator('details.values > summary').click();
        await expect
          .poll(
            async () => supplyDifferences(await counted(together[0] ?? ''), supply[0]?.points ?? []),
            patiently,
          )
          .toEqual((supply[0]?.points ?? []).map(({ t }) => expect.stringContaining(`${t} physicalGpus`)));
      },
    );

    it("show when in the week a model is cheapest, with the API's medians", async () => {
      const gpuName = await bestModel();
      const page = await open(`/trends?gpuName=${encodeURIComponent(gpuName)}`);
      const [asked] = await Promise.all([
        page.waitForRequest('**/api/patterns?*'),
        page.getByText('Cheapest hours of the week').click(),
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
      // Days of books have no cheapest hour yet, and say so.
      expect(await page.locator('.pattern .caption').textContent()).toContain(
        'Too early to name a cheapest hour: that needs prices of the same hour in 3 weeks, and so far there are prices of 1 at most.',
      );
    });

    it('say how many hours the cheapest hour of the week rests on', async () => {
      const page = await open('/trends?gpuName=RTX+4090', (page) =>
        page.route('**/api/patterns?*', (route) =>
          perturb<{ cheapestHour: object | null }>(route, (answer) => ({
            ...answer,
            cheapestHour: { weekday: 6, hour: 23, median: 0.25, hours: 4 },
          })),
        ),
      );
      await page.getByText('Cheapest hours of the week').click();
      expect(await page.locator('.pattern .caption').textContent()).toContain(
        'Cheapest on Saturday from 23:00, median $0.2500 of 4 hours per GPU-hour',
      );
    });

    it('draw the trend', async () => {
      const page = await open('/trends?range=all');
      await page.locator('.quotes tbody tr').first().waitFor();
      const drawn = () => page.locator('.chart canvas').evaluate(countDrawnPixels);
      await expect.poll(drawn, { timeout: 60_000 }).toBeGreaterThan(500);
    });

    it('keep every choice in the address, reload, and go back', async () => {
      const gpu = await bestModel();
      const page = await open('/trends?models=all');
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
      await Promise.all([
        asked({ gpuName: gpu, type: 'bid' }),
        page.getByRole('checkbox', { name: 'Bid' }).check(),
      ]);
      await page.getByRole('checkbox', { name: 'On-demand' }).uncheck();
      await Promise.all([asked({ from: '1970-01-01' }), page.getByLabel('All', { exact: true }).check()]);
      expect(search()).toEqual({ gpuName: gpu, type: 'bid', range: 'all' });
      await page.goBack();
      await page.goBack();
      await page.goBack();
      await expect.poll(search, patiently).toEqual({ gpuName: gpu });
      expect(await page.getByRole('checkbox', { name: 'On-demand' }).isChecked()).toBe(true);
      expect(await page.getByRole('checkbox', { name: 'Bid' }).isChecked()).toBe(false);
      await page.getByRole('navigation').getByText('Deals').click();
      await page.locator('#ranking').waitFor();
      expect(new URL(page.url()).pathname).toBe('/deals');
      await page.getByLabel('Sort by').selectOption('usdPerGpuHour');
      await expect.poll(search, patiently).toEqual({ by: 'usdPerGpuHour' });
    });

    it('let the keyboard move along the chart', async () => {
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

    it('zoom with the keyboard and by dragging, with the range in the address, and reset', async () => {
      const page = await open('/trends?range=all');
      const chart = page.getByRole('slider');
      await page.locator('.quotes tbody tr').first().waitFor();
      const { search } = new URL(page.url());
      await chart.focus();
      await chart.press('Home');
      await chart.press('+');
      const length = () => {
        const { searchParams } = new URL(page.url());
        return Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '');
      };
      await expect.poll(length, patiently).toBeGreaterThan(0);
      const once = length();
      await expect.poll(() => trendMismatches(page), patiently).toEqual([]);
      const { x, y, width, height } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      await page.mouse.move(x + width * 0.2, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width * 0.6, y + height / 2, { steps: 3 });
      await page.mouse.up();
      await expect.poll(length, patiently).toBeLessThan(once);
      expect(length()).toBeGreaterThan(0);
      await page.getByRole('button', { name: 'Reset zoom' }).click();
      await expect.poll(() => new URL(page.url()).search, patiently).toBe(search);
    });

    it('zoom by a pinch, with the range in the address, and leave vertical scrolling to the page', async () => {
      const page = await open('/trends?range=7d', undefined, 390);
      await page.locator('.quotes tbody tr').first().waitFor();
      const canvas = page.locator('.chart canvas');
      expect(await canvas.evaluate((element) => getComputedStyle(element).touchAction)).toBe('pan-y');
      await canvas.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await canvas.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const fingers = await page.context().newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number[]) =>
        fingers.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: apart.map((share, id) => ({ id, x: x + width * (0.4 + share), y: y + height / 2 })),
        });
      await touch('touchStart', [-0.05, 0.05]);
      for (const share of [0.06, 0.08, 0.1, 0.15, 0.2]) await touch('touchMove', [-share, share]);
      await touch('touchEnd', []);
      const hours = () => {
        const { searchParams } = new URL(page.url());
        return (
          (Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '')) / 3_600_000
        );
      };
      await expect.poll(hours, patiently).toBeGreaterThan(0);
      expect(hours()).toBeLessThan(7 * 24);
      expect(await trendMismatches(page)).toEqual([]);
    });
  });
}

function changeOneMedian(answer: Trends): Trends {
  const points = answer.series[0]?.points ?? [];
  const middle = points[Math.floor(points.length / 2)];
  if (middle !== undefined) middle.median = (middle.median ?? 0) + 1e-6;
  return answer;
}

function countOneMoreGpu(answer: Trends): Trends {
  for (const point of answer.supply.flatMap(({ points }) => points)) point.physicalGpus += 1;
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
