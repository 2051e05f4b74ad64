import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeProvider, storeSnapshot } from '../../src/prices/catalogs/catalogs.sql.ts';
import { readCatalog } from '../../src/prices/catalogs/read-catalog.ts';
import type { CatalogPrices, Market, VsMarket } from '../../web/core/api.ts';
import { shownRows } from '../../web/prices/market/market-rows.ts';
import { card, makeCatalog } from '../prices/catalogs/made-catalog.ts';
import { inkIn } from './drawn-trends.ts';
import { twoFrames } from './layout-shifts.ts';
import { type PageFixture, patiently, perturb } from './page-fixture.ts';
import { marketDifferences } from './shown-values.ts';

const model = 'RTX 4090';
/** Opacities of a one-pixel line that covers two pixels in part. */
const thin = [80, 255] as const;

type Steps = CatalogPrices['series'][number]['steps'];

/** Tests of other sellers' list prices in a real browser. */
export function describeListPrices({ open, ask, server }: PageFixture): void {
  describe('list prices of other sellers', () => {
    beforeAll(async () => {
      // Far above the market, so that the line of list prices is drawn alone.
      const catalog = readCatalog('vms.csv', makeCatalog([card({ AcceleratorCount: 2, Price: '6.4' })]));
      const asOf = new Date(Date.now() - 30 * 86_400_000);
      const snapshot = { provider: 'cloud-a', asOf, importedAt: asOf, catalog, replace: false };
      await storeSnapshot(server().sql, snapshot);
    });
    afterAll(async () => {
      await removeProvider(server().sql, 'cloud-a');
    });

    it('are a column of the market: the cheapest, its seller, and how it compares with the median', async () => {
      const page = await open('/market?sort=cloud');
      const cell = page.locator(`#models tr[data-model="${model}"] [data-field=cloud]`);
      await cell.waitFor();
      const { items } = await ask<Market>('/api/market?type=on-demand');
      const cloud = items.find(({ gpuName }) => gpuName === model)?.cheapestCloud;
      expect(cloud).toMatchObject({ provider: 'cloud-a', usdPerGpuHour: 3.2, numGpus: 2 });
      expect(await cell.getAttribute('data-value')).toBe('3.2');
      const percent = (cloud?.abovePercent ?? 0).toFixed(1);
      const text = (await cell.textContent())?.replace(/^3\.20*/, '3.2').replaceAll(',', '');
      expect(text).toBe(`3.2 cloud-a × 2 +${percent}%`);
      await cell.locator('[data-explain]').click();
      const explained = page.locator('#explanation tr[data-key=usdPerGpuHour]');
      await explained.waitFor();
      for (const field of ['shown', 'again'])
        expect(await explained.locator(`[data-field=${field}]`).getAttribute('data-value')).toBe('3.2');
      expect(await page.locator('#explanation .remark').count()).toBe(0);
      await page.keyboard.press('Escape');
      // The only model with a known list price comes first; all others say that theirs is unknown.
      const first = page.locator('#models tbody tr').first();
      expect(await first.getAttribute('data-model')).toBe(model);
      const others = page.locator('#models tbody [data-field=cloud]:not([data-value])');
      expect(new Set(await others.allTextContents())).toEqual(new Set(['–']));
      expect(await others.count()).toBe(items.length - 1);
      const sorted = shownRows(items, '', { key: 'cloud', turned: false });
      const withCloud = sorted.map((row) => ({ ...row, cloud: row.cheapestCloud?.usdPerGpuHour ?? null }));
      expect(await marketDifferences(page, withCloud)).toEqual([]);
    });

    it('are a thin line on trends, if the API gives a price', async () => {
      const path = `/trends?range=all&gpuName=${encodeURIComponent(model)}`;
      const page = await open(path, (page) =>
        page.route('**/api/catalogs/prices?*', (route) =>
          perturb<CatalogPrices>(route, (answer) => ({
            ...answer,
            series: answer.series.map((each) => ({ ...each, steps: onlyLately(each.steps) })),
          })),
        ),
      );
      const shown = page.locator('#list-prices [data-series]');
      await shown.waitFor();
      const query = new URLSearchParams({ gpuName: model });
      const { series } = await ask<CatalogPrices>(`/api/catalogs/prices?${query}`);
      const price = series[0]?.steps.at(-1)?.price;
      expect(await shown.getAttribute('data-value')).toBe(String(price?.usdPerGpuHour));
      expect(await shown.textContent()).toBe(` ${model}: $3.2000 (cloud-a, here, 2 GPUs).`);
      await page.evaluate(twoFrames);
      const { width = 0, height = 0 } = (await page.locator('.chart').boundingBox()) ?? {};
      const plot = width - 60;
      const inkAbove = (from: number, to: number) =>
        inkIn(page, { left: plot * from, right: plot * to, top: 0, bottom: height / 4 }, thin);
      expect(await inkAbove(0.1, 0.4)).toBe(0);
      expect(await inkAbove(0.7, 0.95)).toBeGreaterThan(20);
    });

    it('are not drawn for other types and metrics than theirs, nor for all models together', async () => {
      for (const query of [
        `gpuName=${model}&type=bid`,
        `gpuName=${model}&metric=usdPerDlperfHour`,
        'models=all',
      ]) {
        const page = await open(`/trends?${query}`);
        await page.locator('.quotes tbody tr').first().waitFor();
        await page.evaluate(twoFrames);
        expect(await page.locator('#list-prices').count(), query).toBe(0);
      }
    });

    it('say in spend what the same hours would have cost', async () => {
      const item: VsMarket['items'][number] = {
        ...{ instanceId: 1, source: 'instance-1', label: null, gpuName: model, numGpus: 1, paidUsd: '3' },
        ...{ type: 'on-demand', storageGb: 8, hours: [], comparedUsd: '3', overMedianUsd: '0.1' },
        ...{ overMinUsd: '0.2', overLowestUsd: '0.2', cheaperEqual: null, unattributable: null },
        ...{ cloudUsd: '4.125', cloudComparedUsd: '2.5' },
      };
      const cloud = {
        ...{ cloudUsd: '4.125', cloudComparedUsd: '2.5', notComparedUsd: '0.5', notComparedInstances: 0 },
      };
      const page = await open('/spend', (page) =>
        page.route('**/api/spend/vs-market?*', (route) =>
          perturb<VsMarket>(route, (answer) => ({ ...answer, items: [item], cloud })),
        ),
      );
      await page.locator('#market-prices > summary').click();
      const cell = page.locator('#vs-market tbody [data-field=cloudUsd]');
      await cell.waitFor();
      expect([await cell.getAttribute('data-value'), await cell.textContent()]).toEqual(['4.125', '$4.13']);
      expect(await page.locator('#cloud').getAttribute('data-value')).toBe('4.125');
      await expect
        .poll(() => page.locator('#cloud').textContent(), patiently)
        .toBe('The same hours at the cheapest cloud: $4.13 for what cost $2.50. $0.50 cannot be compared.');
    });
  });
}

/** The same price from the middle of the newest books on, 36 hours before the last of them. */
const onlyLately = (steps: Steps): Steps => [
  ...steps.slice(0, 1).map((step) => ({ ...step, price: null })),
  { t: new Date(Date.now() - 33 * 3_600_000).toISOString(), price: steps.at(-1)?.price ?? null },
];
