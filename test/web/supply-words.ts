import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Market, Trends } from '../../web/core/api.ts';
import { type PageFixture, patiently } from './page-fixture.ts';

/** Returns the cells of a table's first row by their column heads. */
async function cellsByHead(table: Locator, row: Locator): Promise<Map<string, string>> {
  const heads = await table.locator('thead th').allTextContents();
  const cells = await row.locator('th, td').allTextContents();
  return new Map(heads.map((head, place) => [head.trim(), (cells[place] ?? '').trim()]));
}

/** Tests that a word for supply has the same number everywhere. */
export function describeSupplyWords({ open, ask }: PageFixture): void {
  describe('supply figures', () => {
    it('are the same number of the same book on Market, Trends and in the API', async () => {
      const { items } = await ask<Market>('/api/market');
      // Where the two counts differ, a wrong label is detected.
      const model = items.find(({ gpus, physicalGpus }) => physicalGpus !== null && gpus > physicalGpus);
      if (model === undefined) throw new Error('no model has GPUs in more than one offer');
      const { series } = await ask<Trends>(
        `/api/trends?bucket=book&gpuName=${encodeURIComponent(model.gpuName)}`,
      );
      const point = series[0]?.points.at(-1);
      expect([model.gpus, model.physicalGpus, model.offers, model.machines]).toEqual([
        ...[point?.gpus, point?.physicalGpus, point?.offers, point?.machines],
      ]);

      const page = await open('/market');
      const row = page.locator(`#models tr[data-model="${model.gpuName}"]`);
      await row.waitFor();
      await page.getByText('Physical GPUs count once, GPUs listed once for each offer').waitFor();
      const onMarket = await cellsByHead(page.locator('#models'), row);
      const trends = await open(`/trends?bucket=book&gpuName=${encodeURIComponent(model.gpuName)}`);
      const quotes = trends.locator('table.quotes');
      await quotes.locator('tbody tr').first().waitFor();
      const onTrends = await cellsByHead(quotes, quotes.locator('tbody tr').first());
      await trends.getByText('Show as table').click();
      const table = trends.locator('details.values table');
      await table.locator('tbody tr').first().waitFor();
      const inTable = await cellsByHead(table, table.locator('tbody tr').first());

      const listed = model.gpus.toLocaleString('en-GB');
      const physical = (model.physicalGpus ?? 0).toLocaleString('en-GB');
      const shown = model.physicalGpusIsLowerBound ? `≥ ${physical}` : physical;
      expect(onMarket.get('GPUs listed')).toBe(listed);
      expect(inTable.get('GPUs listed')).toBe(listed);
      for (const view of [onMarket, onTrends, inTable]) {
        expect(view.get('Physical GPUs')).toBe(shown);
        expect(view.has('GPUs')).toBe(false);
        expect(view.get('All offers')).toBe(model.offers.toLocaleString('en-GB'));
      }
      expect(inTable.get('Machines')).toBe(onMarket.get('Machines'));
      // A lower bound is marked as such.
      await page.route('**/api/market?*', async (route) => {
        const answer = (await (await route.fetch()).json()) as Market;
        const bound = answer.items.map((each) => ({ ...each, physicalGpusIsLowerBound: true }));
        await route.fulfill({ json: { ...answer, items: bound } });
      });
      await page.reload();
      const cell = row.locator('[data-field=physicalGpus]');
      await expect.poll(() => cell.textContent(), patiently).toBe(`≥ ${physical}`);
    });
  });
}
