import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { MarketAlert, Trends } from '../../web/core/api.ts';
import { twoFrames } from './layout-shifts.ts';
import { type PageFixture, patiently, perturb, shownPath } from './page-fixture.ts';
import { readTrendTable, trendDifferences } from './shown-values.ts';

/** Opacities in the first line’s color: of the line itself, and of the earlier period on the band or beside it. */
const strong = [250, 255] as const;
const faint = [105, 140] as const;

/** Tests what the chart draws for a response, and what it requests in order to draw something else. */
export function describeDrawnTrends({ open, ask }: PageFixture): void {
  describe('the chart of a trend', () => {
    const drawn = async (page: Page) => {
      await page.locator('.quotes tbody tr').first().waitFor();
      await page.evaluate(twoFrames);
    };

    it('follows the medians, also on a logarithmic scale', async () => {
      const heights: number[] = [];
      for (const query of ['', '&log=1']) {
        const page = await open(`/trends?range=all${query}`);
        await drawn(page);
        const { x, y, width, height } = (await page.locator('.chart').boundingBox()) ?? nowhere;
        await page.mouse.move(x + width * 0.3, y + height / 3);
        const spot = (await page.locator('.spot').boundingBox()) ?? nowhere;
        const center = { x: spot.x + spot.width / 2 - x, y: spot.y + spot.height / 2 - y };
        const around = { left: center.x - 2, top: center.y - 2, right: center.x + 2, bottom: center.y + 2 };
        expect(await inkIn(page, around, strong), query).toBeGreaterThan(0);
        heights.push(center.y);
      }
      expect(Math.abs((heights[0] ?? 0) - (heights[1] ?? 0))).toBeGreaterThan(2);
    });

    it('is empty if books are missing', async () => {
      const page = await open('/trends?range=all', (page) =>
        page.route('**/api/trends?*', (route) => perturb<Trends>(route, withoutItsMiddle)),
      );
      await drawn(page);
      const { width, height } = (await page.locator('.chart').boundingBox()) ?? nowhere;
      const plot = width - 60;
      const part = (from: number, to: number) => ({
        left: plot * from,
        right: plot * to,
        top: 0,
        bottom: height,
      });
      expect(await inkIn(page, part(0, 0.2), strong)).toBeGreaterThan(50);
      expect(await inkIn(page, part(0.45, 0.55), strong)).toBe(0);
      expect(await inkIn(page, part(0.8, 1), strong)).toBeGreaterThan(50);
    });

    it('shows a single peak and a gap among ten thousand points', async () => {
      const page = await open('/trends?range=all', (page) =>
        page.route('**/api/trends?*', (route) => perturb<Trends>(route, manyPoints)),
      );
      await drawn(page);
      const { width, height } = (await page.locator('.chart').boundingBox()) ?? nowhere;
      const plot = width - 60;
      const above = (from: number, to: number) =>
        inkIn(page, { left: plot * from, right: plot * to, top: 0, bottom: height / 4 }, strong);
      const everywhere = { top: 0, bottom: height, left: plot * 0.765, right: plot * 0.795 };
      expect(await above(0.2, 0.3)).toBeGreaterThan(0);
      expect(await above(0, 0.2)).toBe(0);
      expect(await above(0.3, 1)).toBe(0);
      expect(await inkIn(page, everywhere, strong)).toBe(0);
    });

    it('compares with a month earlier, faintly and at the same places', async () => {
      let asked: URL | null = null;
      const page = await open('/trends?range=7d', async (page) => {
        await page.route('**/api/trends?*', async (route) => {
          const url = new URL(route.request().url());
          const shown = url.searchParams.get('to') === null;
          if (shown) return await route.fallback();
          asked = url;
          // The market is younger than a month, so the earlier period equals the current one.
          for (const name of ['from', 'to']) {
            const t = Date.parse(url.searchParams.get(name) ?? '') + 30 * dayMs;
            url.searchParams.set(name, new Date(t).toISOString());
          }
          const answer = await ask<Trends>(url.pathname + url.search);
          await route.fulfill({ json: earlier(answer, 30 * dayMs) });
        });
      });
      await drawn(page);
      expect(await faintAbove(page)).toBe(0);
      await page.getByLabel('Compare').check();
      await page.getByText('Faint lines: 30 days earlier.').waitFor();
      await expect.poll(() => faintAbove(page), patiently).toBeGreaterThan(0);
      expect(asked).not.toBeNull();
    });

    it('shows the all-in price of the described usage profile, which the address contains', async () => {
      const page = await open('/trends?range=all&metric=allInUsdPerHour');
      await drawn(page);
      const medians = async () => (await readTrendTable(page)).map(({ values }) => values.median);
      const before = await medians();
      await page.getByText('8 GB disk, 720 h').click();
      await page.locator('input[name=storageGb]').fill('2000');
      await page.keyboard.press('Enter');
      await expect.poll(() => shownPath(page, 'trend'), patiently).toContain('storageGb=2000');
      const path = await shownPath(page, 'trend');
      expect(path).toContain('metric=allInUsdPerHour');
      expect(new URL(page.url()).searchParams.get('storageGb')).toBe('2000');
      expect(trendDifferences(await readTrendTable(page), await ask<Trends>(path))).toEqual([]);
      const dearer = (await medians()).map((median, index) => (median ?? 0) > (before[index] ?? 0));
      expect(new Set(dearer)).toEqual(new Set([true]));
    });

    it('marks the alerts of the drawn models, each linking to its watch', async () => {
      const { series } = await ask<Trends>('/api/trends?from=1970-01-01');
      const points = series[0]?.points ?? [];
      const at = points[Math.floor(points.length / 2)]?.t ?? '';
      const alert: MarketAlert = {
        ...{
          id: '1',
          market: 'simulator',
          at,
          title: 'A cheap one',
          watchId: 'w1',
          gpuNames: [],
          listingId: null,
        },
        ...{ value: 0.1, ruleId: 'r1', kind: 'priceBelow', suppressed: null, undeliveredTo: [] },
      };
      const page = await open('/trends?range=all', (page) =>
        page.route('**/api/alerts?*', (route) =>
          route.fulfill({ json: { items: [alert, { ...alert, id: '2', watchId: null }], nextCursor: null } }),
        ),
      );
      await drawn(page);
      const mark = page.locator('.mark.alert');
      await mark.waitFor();
      expect(await mark.getAttribute('title')).toContain('A cheap one');
      expect(await mark.getAttribute('href')).toBe('/watches/w1');
      expect(await mark.getAttribute('data-t')).toBe(at);
      // What is drawn is said beside it, and nothing else; no room is made for it.
      const legend = page.locator('.mark-legend');
      expect((await legend.textContent())?.replaceAll(/\s+/g, ' ')).toMatch(/^! alert$/);
      expect(await legend.evaluate((each) => getComputedStyle(each).position)).toBe('absolute');
    });
  });
}

const dayMs = 86_400_000;
const nowhere = { x: 0, y: 0, width: 0, height: 0 };

/** CSS pixels from the upper left corner of the chart. */
interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Counts the pixels of an area in the color of the first line, at an opacity in that range. */
export async function inkIn(page: Page, area: Area, opacity: readonly [number, number]): Promise<number> {
  return await page.locator('.chart canvas').evaluate(
    (element, [{ left, top, right, bottom }, [least, most]]) => {
      const canvas = element as HTMLCanvasElement;
      const swatch = document.querySelector('.swatch.s0');
      const wanted = (getComputedStyle(swatch ?? canvas).borderTopColor.match(/\d+/g) ?? []).map(Number);
      const scale = canvas.width / canvas.clientWidth;
      const [x, y] = [Math.max(0, left * scale), Math.max(0, top * scale)];
      const context = canvas.getContext('2d');
      const { data } = context?.getImageData(x, y, right * scale - x, bottom * scale - y) ?? { data: [] };
      let count = 0;
      for (let at = 0; at < data.length; at += 4) {
        const alpha = data[at + 3] ?? 0;
        const isIts = wanted
          .slice(0, 3)
          .every((part, index) => Math.abs(part - (data[at + index] ?? 0)) < 12);
        if (isIts && alpha >= least && alpha <= most) count += 1;
      }
      return count;
    },
    [area, opacity] as const,
  );
}

/** Counts faint pixels above the point of the line under the pointer, a few pixels to each side. */
async function faintAbove(page: Page): Promise<number> {
  const { x, y, width, height } = (await page.locator('.chart').boundingBox()) ?? nowhere;
  await page.mouse.move(x, y);
  await page.mouse.move(x + width * 0.8, y + height / 3);
  const spot = (await page.locator('.spot').boundingBox()) ?? nowhere;
  const center = { x: spot.x + spot.width / 2 - x, y: spot.y + spot.height / 2 - y };
  return await inkIn(page, { left: center.x - 3, right: center.x + 3, top: 0, bottom: center.y - 4 }, faint);
}

/** An answer of hourly buckets whose middle third is missing. */
function withoutItsMiddle(answer: Trends): Trends {
  const [series] = answer.series;
  if (series === undefined) return answer;
  const { length } = series.points;
  const points = series.points.filter((_, index) => index < length / 3 || index > (length * 2) / 3);
  return { ...answer, series: [{ ...series, points }] };
}

/** Ten thousand hours at one price, with a peak after a quarter, and 5% of them missing after three quarters. */
function manyPoints(answer: Trends): Trends {
  const [series] = answer.series;
  const [first] = series?.points ?? [];
  if (series === undefined || first === undefined) return answer;
  const start = Date.UTC(2025, 0, 1);
  const points = Array.from({ length: 10_000 }, (_, index) => ({
    ...first,
    ...{ t: new Date(start + index * 3_600_000).toISOString(), min: 1, p10: 1, p90: 1 },
    median: index === 2_500 ? 9 : 1,
  }));
  return {
    ...answer,
    series: [{ ...series, points: points.filter((_, index) => index < 7_500 || index > 8_000) }],
  };
}

function earlier(answer: Trends, byMs: number): Trends {
  const before = (t: string) => new Date(Date.parse(t) - byMs).toISOString();
  return {
    ...answer,
    from: before(answer.from),
    to: before(answer.to),
    series: answer.series.map((each) => ({
      ...each,
      points: each.points.map((point) => ({
        ...point,
        t: before(point.t),
        median: (point.median ?? 0) * 2,
      })),
    })),
  };
}
