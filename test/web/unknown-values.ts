import { describe, expect, it } from 'vitest';
import type { Instances, Reconciliation, Spend, Status, VsMarket } from '../../web/core/api.ts';
import { instanceAt } from './made-instance.ts';
import { type PageFixture, perturb } from './page-fixture.ts';

const blank: VsMarket['items'][number] = {
  ...{ instanceId: 1, source: 'instance-1', label: null, gpuName: null, numGpus: null, paidUsd: '3' },
  ...{ type: null, storageGb: null, hours: [] },
  ...{ comparedUsd: null, overMedianUsd: null, overMinUsd: null, overLowestUsd: null, cheaperEqual: null },
  ...{ cloudUsd: null, cloudComparedUsd: null },
  unattributable: "the account's list did not state the GPU model",
};

/** Tests that unknown values are called unknown, and never look like zero or like good news. */
export function describeUnknownValues({ open }: PageFixture): void {
  describe('unknown values', () => {
    it('have a reason if spend cannot be compared with the market', async () => {
      const page = await open('/spend', (page) =>
        page.route('**/api/spend/vs-market?*', (route) =>
          perturb<VsMarket>(route, (answer) => ({
            ...answer,
            items: [
              blank,
              { ...blank, ...{ instanceId: 4, source: 'instance-4' } },
              { ...blank, ...{ instanceId: 2, source: 'instance-2', unattributable: null } },
              {
                ...{ ...blank, instanceId: 3, source: 'instance-3', unattributable: null },
                ...{ comparedUsd: '1', overMedianUsd: '-0.5', overMinUsd: '0.1', overLowestUsd: '0.1' },
              },
            ],
          })),
        ),
      );
      await page.locator('#market-prices > summary').click();
      const compared = page.locator('#market-prices tbody [data-field=overMedianUsd]');
      await compared.first().waitFor();
      // Only a part of the spend was compared.
      expect(await page.locator('#vs-market table').first().locator('tbody tr').allTextContents()).toEqual([
        expect.stringContaining('$1.00'),
      ]);
      const said = page.getByRole('list', { name: 'Why instances cannot be compared' });
      expect(await said.locator('li').allTextContents()).toEqual([
        "2 instances cannot be compared: the account's list did not state the GPU model.",
        '1 instance cannot be compared: no market price of those hours.',
      ]);
      await page.locator('#not-compared > summary').click();
      const none = page.locator('#not-compared tbody tr').first();
      expect(await none.locator('[data-field=paidUsd]').textContent()).toBe('$3.00');
    });

    it('are neither agreement nor zero spend while no bills have been read', async () => {
      const unread = { charges: null, invoices: null };
      const page = await open('/spend', async (page) => {
        await page.route('**/api/spend?*', (route) =>
          perturb<Spend>(route, (spend) => ({ ...spend, items: [], totals: [], readUntil: unread })),
        );
        await page.route('**/api/spend/reconciliation?*', (route) =>
          perturb<Reconciliation>(route, (answer) => ({ ...answer, items: [] })),
        );
        await page.route('**/api/spend/vs-market?*', (route) =>
          perturb<VsMarket>(route, (answer) => ({ ...answer, items: [] })),
        );
      });
      await page.locator('#spend').getByText('Spend unknown: no bills have been synced yet').waitFor();
      await page.locator('#reconciliation').getByText('No bills have been synced yet').waitFor();
      await page.locator('#vs-market').getByText('No bills have been synced yet').waitFor();
      expect(await page.getByText('instances, agree').count()).toBe(0);
      expect(await page.getByText('No consumption').count()).toBe(0);
    });

    it('are neither $0 for instances without a price nor an empty account that was never listed', async () => {
      let items = [
        { ...instanceAt('0.5'), instanceId: 1, label: 'priced' },
        {
          ...instanceAt('0.5'),
          instanceId: 2,
          label: 'unpriced',
          usdPerHour: null,
          billedUsdPerHour: null,
          hostEndsAt: null,
        },
      ];
      items = items.map((item, index) =>
        index === 0 ? item : { ...item, cost: { ...item.cost, usd: '0', isLowerBound: true } },
      );
      const page = await open('/instances', async (page) => {
        await page.route('**/api/instances', (route) =>
          perturb<Instances>(route, (answer) => ({ ...answer, items, totalUsdPerHour: '0.5', unpriced: 1 })),
        );
        await page.route('**/api/status', (route) =>
          perturb<Status>(route, (status) => ({ ...status, instances: null })),
        );
      });
      await page.getByText('Total $0.5000/hour and 1 with unknown price').waitFor();
      const row = page.locator('#instance-table tbody tr').filter({ hasText: 'unpriced' });
      expect(await row.locator('[data-field=billedUsdPerHour]').textContent()).toBe('unknown');
      expect(await row.locator('[data-field=cost]').textContent()).toBe('unknown');
      items = [];
      await page.reload();
      await page.getByText('Instances unknown').waitFor();
    });
  });
}
