import { describe, expect, it } from 'vitest';
import type { Market, PriceIndex } from '../../web/core/api.ts';
import { type PageFixture, patiently, perturb, shownPath, widths } from './page-fixture.ts';
import { readTrendTable } from './shown-values.ts';

type Point = PriceIndex['series'][number]['points'][number];
const fields = [
  'rebased',
  'rebasedLow',
  'rebasedHigh',
  'movementPercent',
  'stderrPercent',
  'listings',
] as const;

/** Tests of the index as a metric of trends in a real browser. */
export function describeIndexChart({ open, ask }: PageFixture): void {
  describe('the index on the chart of trends', () => {
    const models = async () =>
      (await ask<Market>('/api/market')).items.slice(0, 2).map(({ gpuName }) => gpuName);
    const addressOf = (names: readonly string[], more: [string, string][] = []) =>
      `/trends?${new URLSearchParams([['metric', 'index'], ...names.map((name): [string, string] => ['gpuName', name]), ...more])}`;
    const expected = (points: readonly Point[]) =>
      points.map((point) => ({
        key: point.t,
        values: expect.objectContaining(Object.fromEntries(fields.map((field) => [field, point[field]]))),
      }));

    it.each(widths)(
      'shows each model’s levels from 100 on the common day as the API gives them, %s wide',
      async (width) => {
        const names = await models();
        const types: [string, string][] = [
          ['type', 'on-demand'],
          ['type', 'bid'],
        ];
        const page = await open(addressOf(names, types), undefined, width);
        await page.locator('.quotes tbody tr').first().waitFor();
        const { base, series } = await ask<PriceIndex>(await shownPath(page, 'trend'));
        expect(series).toHaveLength(4);
        expect(await page.locator('[data-base]').getAttribute('data-base')).toBe(base);
        await readTrendTable(page);
        for (const name of names) {
          for (const type of ['on-demand', 'bid']) {
            const points = series.find(({ key }) => key === `${type}|${name}`)?.points ?? [];
            expect(points.length).toBeGreaterThan(2);
            expect(points.find(({ t }) => t === base)?.rebased).toBe(100);
            await page.locator('select[name=line]').selectOption(`${name} ${type}`);
            await expect.poll(() => readTrendTable(page), patiently).toEqual(expected(points));
          }
        }
      },
    );

    it('walks from day to day, says where it restarts and which day is not over, and shows what it is given', async () => {
      const [name = ''] = await models();
      const page = await open(addressOf([name]), (page) =>
        page.route('**/api/index?*', (route) => perturb<PriceIndex>(route, restartOnTheSecondDay)),
      );
      const chart = page.getByRole('slider');
      await chart.focus();
      const { series } = await ask<PriceIndex>(await shownPath(page, 'trend'));
      const points = series[0]?.points ?? [];
      const shown = page.locator('.quotes [data-field=rebased]');
      const words = () => chart.getAttribute('aria-valuetext');
      await chart.press('Home');
      await expect.poll(() => shown.getAttribute('data-value'), patiently).toBe('100');
      expect(await words()).not.toContain('restarted');
      await chart.press('ArrowRight');
      await page.locator(`.quotes[data-point="${points[1]?.t}"]`).waitFor();
      expect(await shown.getAttribute('data-value')).toBe('77.25');
      expect(await words()).toContain('index 77.25, 70.00 to 90.00, restarted');
      expect(await page.locator('.spot').count()).toBe(1);
      await chart.press('End');
      await page.locator(`.quotes[data-point="${points.at(-1)?.t}"]`).waitFor();
      expect(points.at(-1)?.open).toBe(true);
      expect(await words()).toContain('day not over');
    });

    it('is chosen like any metric, keeps the rest of the address, offers only what an index has, and says why', async () => {
      const [name = ''] = await models();
      const page = await open(`/trends?${new URLSearchParams({ gpuName: name, minReliability: '0.5' })}`);
      await page.locator('.quotes tbody tr').first().waitFor();
      const interval = page.getByLabel('Interval');
      expect(await interval.count()).toBe(1);
      await page.getByLabel('Metric').selectOption('index');
      await page.locator('[data-base]').waitFor();
      const search = () => Object.fromEntries(new URL(page.url()).searchParams);
      expect(search()).toEqual({ gpuName: name, minReliability: '0.5', metric: 'index' });
      expect(await interval.or(page.getByLabel('Compare')).or(page.locator('.folds')).count()).toBe(0);
      expect(await page.locator('[data-remark=index]').textContent()).toMatch(
        /one value per UTC day.*no filters/,
      );
      const path = await shownPath(page, 'trend');
      const file = await page.locator('.menu a[download="index.csv"]').first().getAttribute('href');
      expect(file).toBe(path.replace('/api/index?', '/api/exports/index.csv?'));
      await page.goBack();
      await interval.waitFor();
      await page.goto(new URL('/trends?metric=index&models=all', page.url()).href);
      await page.getByText('Choose a model').waitFor();
    });
  });
}

function restartOnTheSecondDay(answer: PriceIndex): PriceIndex {
  const second = answer.series[0]?.points[1];
  const band = { rebasedLow: 70, rebasedHigh: 90 };
  if (second !== undefined)
    Object.assign(second, { ...band, rebased: 77.25, restarted: true, movementPercent: null });
  return answer;
}
