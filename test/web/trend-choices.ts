import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Trends } from '../../web/core/api.ts';
import { inkIn } from './drawn-trends.ts';
import { twoFrames } from './layout-shifts.ts';
import { type PageFixture, patiently, perturb, tabTo } from './page-fixture.ts';

type Point = Trends['series'][number]['points'][number];

const nowhere = { x: 0, y: 0, width: 0, height: 0 };

/** Tests in a real browser of choosing a trend, and of what its chart is scaled to. */
export function describeTrendChoices({ open }: PageFixture): void {
  describe('choices of a trend', () => {
    it('offer only ranges that have prices of their own', async () => {
      const page = await open('/trends?gpuName=RTX+4090&range=7d');
      await page.locator('.quotes tbody tr').first().waitFor();
      const disabled = await page
        .locator('input[name=range]')
        .evaluateAll((found) => found.map((each) => (each as HTMLInputElement).disabled));
      // Three days of books: the week shows all of them. The order is that of the buttons.
      expect(disabled).toEqual([false, false, true, true, true, false]);
      await page.getByLabel('24 h').focus();
      await page.keyboard.press('ArrowLeft');
      await expect.poll(() => new URL(page.url()).searchParams.get('range'), patiently).toBe('all');
    });

    it('begin in the search field of the models, and go on with the arrow keys and Enter', async () => {
      const page = await open('/trends?gpuName=RTX+4090');
      await page.locator('.quotes tbody tr').first().waitFor();
      const models = () => new URL(page.url()).searchParams.getAll('gpuName');
      const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value);
      await tabTo(page, '.picker summary');
      await page.keyboard.press('Enter');
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('type')), patiently)
        .toBe('search');
      await page.keyboard.type('5090');
      await page.keyboard.press('Enter');
      await expect.poll(models, patiently).toEqual(['RTX 4090', 'RTX 5090']);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('3090');
      await page.keyboard.press('ArrowDown');
      expect(await focused()).toBe('RTX 3090');
      await page.keyboard.press('ArrowUp');
      expect(await focused()).toBe('3090');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Space');
      await expect.poll(models, patiently).toEqual(['RTX 4090', 'RTX 5090', 'RTX 3090']);
      // By mouse as well, on a name instead of its box: the list stays open.
      await page.locator('.picker input[type=search]').fill('50');
      await page.locator('.picker label', { hasText: 'RTX 5090' }).click();
      await expect.poll(models, patiently).toEqual(['RTX 4090', 'RTX 3090']);
      // A chosen model that is not found is replaced without another search.
      await page.getByRole('button', { name: 'Remove RTX 4090' }).click();
      await expect.poll(models, patiently).toEqual(['RTX 3090']);
      expect(
        await page
          .locator('.picker input[type=search]')
          .evaluate((field) => field === document.activeElement),
      ).toBe(true);
      await page.locator('.picker input[type=search]').fill('4090');
      await page.locator('.picker input[value="RTX 4090"]').check();
      await expect.poll(models, patiently).toEqual(['RTX 3090', 'RTX 4090']);
      await page.keyboard.press('Escape');
      expect(await page.locator('.picker details').getAttribute('open')).toBeNull();
      // Opened again it shows the chosen models; none chosen closes it.
      await page.locator('.picker summary').click();
      expect(await page.locator('.picker input[type=search]').inputValue()).toBe('');
      const first = await page
        .locator('.picker input[type=checkbox]')
        .evaluateAll((all) =>
          all
            .slice(0, 3)
            .map((each) => [(each as HTMLInputElement).value, (each as HTMLInputElement).checked]),
        );
      expect(first.slice(0, 2)).toEqual([
        ['RTX 3090', true],
        ['RTX 4090', true],
      ]);
      expect(first[2]?.[1]).toBe(false);
      // One that is no longer chosen keeps its place until the list is opened again.
      await page.locator('.picker input[value="RTX 4090"]').uncheck();
      await expect.poll(models, patiently).toEqual(['RTX 3090']);
      expect(await page.locator('.picker input[type=checkbox]').nth(1).inputValue()).toBe('RTX 4090');
      await page.locator('.picker').getByRole('button', { name: 'All models' }).click();
      expect(await page.locator('.picker details').getAttribute('open')).toBeNull();
    });
  });

  describe('the scale of a chart', () => {
    const withPoints = (change: (points: readonly Point[]) => Point[]) => (page: Page) =>
      page.route('**/api/trends?*', (route) =>
        perturb<Trends>(route, (answer) => ({
          ...answer,
          series: answer.series.map((each) => ({ ...each, points: change(each.points) })),
        })),
      );
    /** Returns how far below the chart's top the median of the first point is. */
    async function firstHeight(page: Page): Promise<number> {
      await page.locator('.quotes tbody tr').first().waitFor();
      await page.evaluate(twoFrames);
      await page.locator('.chart').focus();
      await page.keyboard.press('Home');
      const chart = (await page.locator('.chart').boundingBox()) ?? nowhere;
      const spot = (await page.locator('.spot').boundingBox()) ?? nowhere;
      return spot.y - chart.y;
    }
    const usual = (points: readonly Point[]): Point[] =>
      points.map((point) => ({ ...point, min: 0.3, p10: 0.35, median: 0.4, p90: 0.5 }));
    const withOutliers = (points: readonly Point[]): Point[] =>
      usual(points).map((point, at) => (at === 3 ? { ...point, min: 0.001, p90: 40 } : point));

    it('is not set by outliers, which are counted beside the chart', async () => {
      const path = '/trends?gpuName=RTX+4090&range=all';
      const plain = await open(path, withPoints(usual));
      const height = await firstHeight(plain);
      expect(await plain.locator('[data-outside]').count()).toBe(0);
      const page = await open(path, withPoints(withOutliers));
      expect(await firstHeight(page)).toBeCloseTo(height, 0);
      const words = (await page.locator('[data-outside]').textContent()) ?? '';
      expect(words).toContain('2 values of $0.001000 to $40.0000');
      expect(await page.locator('[data-cut]').count()).toBe(1);
      await page.getByLabel('Log scale').check();
      await expect.poll(() => page.locator('[data-outside]').count(), patiently).toBe(0);
    });

    it('shows a single point as a dot in its middle', async () => {
      const page = await open(
        '/trends?gpuName=RTX+4090',
        withPoints((points) => usual(points).slice(-1)),
      );
      const y = await firstHeight(page);
      const { width } = (await page.locator('.chart').boundingBox()) ?? nowhere;
      const spot = (await page.locator('.spot').boundingBox()) ?? nowhere;
      const chart = (await page.locator('.chart').boundingBox()) ?? nowhere;
      const x = spot.x + spot.width / 2 - chart.x;
      expect(x).toBeGreaterThan(width * 0.3);
      expect(x).toBeLessThan(width * 0.7);
      const center = { left: x - 5, right: x + 5, top: y, bottom: y + spot.height };
      expect(await inkIn(page, center, [250, 255])).toBeGreaterThan(30);
    });
  });
}
