import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Reconciliation, Spend, VsMarket } from '../../web/core/api.ts';
import { landSomeBills } from './account-views.ts';
import {
  type PageFixture,
  pageDay,
  pageNoon,
  patiently,
  perturb,
  shownPath,
  widths,
} from './page-fixture.ts';

/** Tests of spend by period, and of how much less was possible, in a real browser. */
export function describeSpendPeriods({ open, ask, server }: PageFixture): void {
  describe('spend of a period', () => {
    it.each(widths)(
      'is one click away, with the change against the period before, %s wide',
      async (width) => {
        const page = await open('/spend', undefined, width);
        // The period shown at first is chosen, too.
        const shownFirst = page.getByRole('radio', { name: 'This and last month' });
        expect(await shownFirst.isChecked()).toBe(true);
        await page.getByRole('radio', { name: 'Last month', exact: true }).click();
        const today = pageNoon();
        const first = new Date(today.getFullYear(), today.getMonth() - 1, 1, 12).toLocaleDateString('en-CA');
        await expect.poll(() => page.locator('input[name=from]').inputValue(), patiently).toBe(first);
        await expect.poll(() => shownPath(page, 'spend'), patiently).toContain(`from=${first}`);
        expect(await page.getByRole('radio', { name: 'Last month', exact: true }).isChecked()).toBe(true);
        // By keyboard: the next arrow chooses the neighbor.
        await page.getByRole('radio', { name: 'Last month', exact: true }).press('ArrowRight');
        await expect
          .poll(() => page.getByRole('radio', { name: 'This month' }).isChecked(), patiently)
          .toBe(true);
        expect(new URL(page.url()).searchParams.get('to')).toMatch(/-01$/);
        // The field has the last day of the range, the address the day after.
        const to = page.getByLabel('To, inclusive');
        const last = new Date(today.getFullYear(), today.getMonth() + 1, 0, 12).toLocaleDateString('en-CA');
        await expect.poll(() => to.inputValue(), patiently).toBe(last);
        await to.fill('2100-12-31');
        await expect.poll(() => shownPath(page, 'spend'), patiently).toContain('to=2101-01-01');
      },
    );

    it('has a bar for each day up to today, though the last ones cost nothing', async () => {
      const [today, longAgo] = [pageDay(), pageDay(Date.now() - 6 * 86_400_000)];
      const page = await open('/spend', (page) =>
        page.route('**/api/spend?*', (route) =>
          perturb<Spend>(route, (spend) => ({
            ...spend,
            items: [
              {
                ...{ key: longAgo, subkey: 'gpu', category: 'consumption', basis: 'charged' },
                ...{ amountUsd: '1.5', entries: 1 },
              } as Spend['items'][number],
            ],
          })),
        ),
      );
      const shown = page.locator('#spend .pointed-at');
      await shown.waitFor();
      // The line below names the last day with spend, until one points at another.
      expect(await shown.getAttribute('data-time')).toBe(longAgo);
      expect(await shown.textContent()).toMatch(/^On .*\d.*: .*\$1\.50$/);
      await page.locator('#spend .bar-chart .bar').last().hover();
      expect(await shown.getAttribute('data-time')).toBe(today);
      expect(await shown.textContent()).toMatch(/^On .*\d.*: nothing$/);
      // A period that nobody chose begins with the first spend.
      expect(await page.locator('#spend .bar-chart .bar').count()).toBe(7);
      await shown.getByRole('button').click();
      await page.locator('#explanation').getByText('$0.00').first().waitFor();
    });

    it('says how much more or less it was', async () => {
      await landSomeBills(server().sql);
      const february = await open('/spend?from=2026-02-01&to=2026-03-01');
      const fell = february.locator('#spend-before');
      await fell.waitFor();
      // That it is empty is said once.
      const cards = february.locator('#main section.card').filter({ hasText: /in this range/ });
      await expect.poll(() => cards.count(), patiently).toBe(1);
      const { before: january } = await ask<Spend>(await shownPath(february, 'spend'));
      expect(january).toMatchObject({ consumptionUsd: '3.246913578', changeUsd: '-3.246913578' });
      expect(await fell.getAttribute('data-value')).toBe('-3.246913578');
      expect(await fell.textContent()).toMatch(
        /^Nothing was spent in this range; in the period before it was \$3\.25 from/,
      );
      let before = {
        ...{ from: '2026-01-01T05:00:00Z', to: '2026-02-01T05:00:00Z', consumptionUsd: '10' },
        ...{ changeUsd: '2.5', changePercent: 25 as number | null },
        ...{ firstSpendAt: '2026-01-01T05:00:00Z', isCovered: true },
      };
      const charged = {
        ...{ category: 'consumption' as const, basis: 'charged' as const },
        ...{ amountUsd: '12.48', entries: 3 },
      };
      let totals: Spend['totals'] = [charged];
      const page = await open('/spend', (page) =>
        page.route('**/api/spend?*', (route) =>
          perturb<Spend>(route, (spend) => ({ ...spend, before, totals })),
        ),
      );
      await expect
        .poll(() => page.locator('#spend-before').textContent(), patiently)
        .toMatch(
          /^\$2\.50 more \(\+25(\.0)?\s?%\) than the \$10\.00 from .+2026, the same days .+ earlier\.$/,
        );
      // One sum of both, and how much of it is estimated.
      totals = [charged, { ...charged, basis: 'estimated', amountUsd: '0.02' }];
      const spent = page.locator('#spend [data-totals] > div').first();
      await page.reload();
      await expect
        .poll(() => spent.textContent(), patiently)
        .toBe('Spent (consumption)$12.50$0.02 estimated (not charged so far), $12.48 charged');
      // Rounded, 12.48 and 0.02 are not 12.51.
      totals = [
        { ...charged, amountUsd: '12.4849' },
        { ...charged, basis: 'estimated', amountUsd: '0.0249' },
      ];
      await page.reload();
      await expect
        .poll(() => spent.textContent(), patiently)
        .toBe('Spent (consumption)$12.51$0.02 estimated (not charged so far), the rest charged');
      totals = [{ ...charged, basis: 'estimated' }];
      await page.reload();
      await expect
        .poll(() => spent.textContent(), patiently)
        .toBe('Spent (consumption)$12.48all estimated: not charged so far');
      expect(await page.locator('#spend-before').textContent()).toMatch(/^\$2\.50 more/);
      before = { ...before, consumptionUsd: '0', changeUsd: '12.5', changePercent: null };
      totals = [charged, { ...charged, category: 'payment', amountUsd: '-75' }];
      await page.reload();
      const shown = page.locator('#spend-before');
      await expect
        .poll(() => shown.textContent(), patiently)
        .toMatch(/^Nothing was spent from 1\D+31 Jan 2026, the same days .+ earlier\.$/);
      // Before the first charge nothing could be spent: that is no rise.
      before = { ...before, ...{ consumptionUsd: '4.83', changeUsd: '187.54', changePercent: 3885 } };
      await page.reload();
      await expect
        .poll(() => shown.textContent(), patiently)
        .toMatch(/^\$187\.54 more, 40 times the \$4\.83 from /);
      before = { ...before, ...{ firstSpendAt: '2026-01-28T05:00:00Z', isCovered: false } };
      await page.reload();
      await expect
        .poll(() => shown.textContent(), patiently)
        .toMatch(
          /^Not compared with the \$4\.83 from .+, the same days .+ earlier: what is known of your spend begins only on .*28.*\.$/,
        );
      expect(await shown.locator('strong').count()).toBe(0);
      // Money paid in has one word and one sign on the page.
      const paid = page.locator('#spend [data-totals] > div').last();
      expect(await paid.textContent()).toBe('Paid in$75.00');
      expect(await spent.textContent()).toMatch(/^Spent \(consumption\)/);
    });

    it('has one sum of how much less was possible, with its share and reasons; a small share is not bold', async () => {
      const hour = {
        ...{ t: '2026-01-01T00:00:00Z', seconds: 3600, paidUsd: '1', paidUsdPerGpuHour: 1 },
        ...{
          medianUsdPerGpuHour: 0.5,
          minUsdPerGpuHour: 0.4,
          lowestUsdPerGpuHour: 0.4,
          overMinUsd: '0.6',
          overLowestUsd: '0.6',
        },
        ...{ cloudUsdPerGpuHour: null, cloudUsd: null },
      };
      const item: VsMarket['items'][number] = {
        ...{ instanceId: 1, source: 'instance-1', label: 'trainer', gpuName: 'RTX 4090', numGpus: 1 },
        ...{ paidUsd: '2', type: 'bid', storageGb: 8, comparedUsd: '2', overMedianUsd: '0.4' },
        ...{
          overMinUsd: '1.2',
          overLowestUsd: '1.1',
          cheaperEqual: {
            ...{
              machineId: 7,
              listingId: '1',
              usdPerHour: 0.189,
              savedUsd: '1.1',
              offeredSeconds: 5400,
              until: null,
            },
            since: '2026-01-01T00:30:00Z',
          },
          unattributable: null,
          cloudUsd: null,
        },
        cloudComparedUsd: null,
        hours: [
          { ...hour, overMedianUsd: '0.5' },
          { ...hour, overMedianUsd: '-0.1' },
        ],
      };
      const parts: VsMarket['notCompared']['parts'] = [{ reason: 'disk', amountUsd: '1.5', instances: [] }];
      const notCompared = { consumptionUsd: '3.5', amountUsd: '1.5', parts };
      let total = {
        paidUsd: '3',
        comparedUsd: '2',
        overMedianUsd: '0.4',
        overMinUsd: '1.2',
        overLowestUsd: '1.2',
        savedUsd: '1.1',
      };
      const { promise: isAsked, resolve: answerNow } = Promise.withResolvers<void>();
      const answers = (page: Page) =>
        page.route('**/api/spend/vs-market?*', async (route) => {
          await isAsked;
          await perturb<VsMarket>(route, (answer) => ({ ...answer, items: [item], total, notCompared }));
        });
      const page = await open('/spend?from=2026-01-01', answers, 1440);
      // Its place is kept until it is known.
      const place = page.locator('#spend .saved');
      await place.getByText('Comparing with the market').waitFor();
      const height = (await place.boundingBox())?.height;
      answerNow();
      const saved = page.locator('#spend #saved');
      await saved.waitFor();
      expect((await place.boundingBox())?.height).toBe(height);
      // On a desktop without an empty line below it.
      expect((height ?? 99) - ((await saved.boundingBox())?.height ?? 0)).toBeLessThan(10);
      await expect
        .poll(() => saved.textContent(), patiently)
        .toBe(
          'Your bids cost at least $1.10 more than the minimum bids of equal machines. Lower bids are stopped first. $2.00 of the $3.50 could be judged. Compared with the market',
        );
      expect([await saved.getAttribute('data-value'), await saved.locator('strong').count()]).toEqual([
        '1.1',
        1,
      ]);
      await saved.getByRole('link').click();
      await expect.poll(() => new URL(page.url()).hash, patiently).toBe('#vs-market');
      expect(await page.locator('#compared-part').textContent()).toBe(
        '$2.00 of the $3.50 of consumption is compared; the other $1.50 (42.9%) is not: disk while stopped.',
      );
      const cells = (name: string) =>
        page.locator(`#${name} table`).first().locator('tbody :is(th, td)').allTextContents();
      expect((await cells('vs-market')).slice(1)).toEqual([
        ...['$2.00', '$2.00', '$1.10'],
        'machine 7, open to bids from $0.1890/hour, seen on offer for 1.5 of the 2 h of your charges',
      ]);
      const row = page.locator('#vs-market tbody tr').first();
      expect([
        await row.locator('.tag').textContent(),
        await row.getByRole('link', { name: 'machine 7' }).getAttribute('href'),
        await row.getByRole('link', { name: 'machine 7' }).getAttribute('class'),
        await page.locator('#vs-market #equal-meaning').textContent(),
      ]).toEqual([
        'bid',
        '/listings/1',
        'whole',
        expect.stringMatching(
          /^Equal: the same GPU model.* Hours after an equal machine’s offer disappeared do not count, so it is at least this: had you rented/,
        ),
      ]);
      // On a phone the sentence begins at the left, below its label.
      await page.setViewportSize({ width: 390, height: 844 });
      const [label, sentence] = [row.locator('td').last(), row.locator('td .wrapped')];
      const [cell, words] = [await label.boundingBox(), await sentence.boundingBox()];
      expect([words?.x, (words?.y ?? 0) > (cell?.y ?? 0) + 15]).toEqual([cell?.x, true]);
      expect(await sentence.evaluate((each) => getComputedStyle(each).textAlign)).toBe('left');
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.locator('#market-prices > summary').click();
      expect((await cells('market-prices')).slice(1)).toEqual([...['minimum bids', '$0.40', '$1.10']]);
      await page
        .locator('#market-prices')
        .getByText('How much less you could have paid stands under Above equal machine in the table above')
        .waitFor();
      const how = page.locator('#vs-market [data-saved]');
      expect(await how.allTextContents()).toEqual([
        'An equal machine was cheaper while yours ran, by at least $1.10. That was possible only at the minimum bid, and such rentals are stopped first; a higher bid lowers that risk. You paid $1.0000/hour on average, disk included; the minimum bid there was $0.1890/hour, the model’s usual one in those hours $0.8000/hour.',
      ]);
      total = { ...total, paidUsd: '20' };
      notCompared.parts.push({ reason: 'unpriced', amountUsd: '18', instances: [] });
      Object.assign(notCompared, { consumptionUsd: '21.5', amountUsd: '19.5' });
      await page.reload();
      // Once, by reasons.
      await expect
        .poll(() => page.locator('#compared-part').textContent(), patiently)
        .toBe(
          '$2.00 of the $21.50 of consumption is compared; the other $19.50 (90.7%) is not: $1.50 for disk while stopped, $18.00 for hours without a market price.',
        );
      expect(await how.count()).toBe(1);
      expect(await saved.textContent()).toMatch(
        /^Your bids cost at least \$1\.10 more than the minimum bids of .* stopped first\. Only \$2\.00 of the \$21\.50 could be judged\. /,
      );
      expect(await saved.locator('strong').count()).toBe(0);
    });

    it('shows what needs a look, folds what does not, and has payments as credit', async () => {
      const line: Omit<Reconciliation['items'][number], 'subject' | 'status' | 'reason'> = {
        kind: 'ledger',
        ...{ from: '2026-01-10T05:00:00Z', to: '2026-02-01T05:00:00Z' },
        ...{ expectedUsd: '3', actualUsd: '10', differenceUsd: '7' },
      };
      let items: Reconciliation['items'] = [
        { ...line, subject: 'instance-1', status: 'withinPolls', reason: 'within the minutes' },
        { ...line, subject: 'instance-2', status: 'explained', reason: 'it was gone' },
        { ...line, subject: 'instance-3', status: 'unexplained', reason: 'unexplained' },
        {
          ...{ ...line, kind: 'uncharged', subject: 'instance-5', status: 'unexplained' },
          reason: 'no charge was found, though charges are synced until 2026-02-01 05:00 UTC',
        },
        { ...line, subject: 'instance-4', status: 'pending', reason: 'not charged yet' },
        { ...line, kind: 'invoices', subject: '2026-01', status: 'credit', reason: 'more was paid in' },
      ];
      let totals: Spend['totals'] = [];
      const readUntil = { charges: '2026-02-01T05:00:00Z', invoices: '2026-02-01T05:00:00Z' };
      const page = await open('/spend', async (page) => {
        await page.route('**/api/spend/reconciliation?*', (route) =>
          perturb<Reconciliation>(route, (answer) => ({ ...answer, items })),
        );
        await page.route('**/api/spend?*', (route) =>
          perturb<Spend>(route, (spend) => ({ ...spend, readUntil, totals })),
        );
      });
      const shown = page.locator('#reconciliation tbody tr:visible');
      await shown.first().waitFor();
      expect((await shown.allTextContents()).map((text) => text.slice(0, 24))).toEqual([
        expect.stringMatching(/^Charges of instance 3/),
        expect.stringMatching(/^Uncharged time of instan/),
        expect.stringMatching(/^Charges of instance 2/),
        // The range has only a part of the month.
        expect.stringMatching(/^10.31 Jan 2026/),
      ]);
      expect(await page.locator('#reconciliation details > summary').allTextContents()).toEqual([
        '1 difference whose bills are still to come',
        '1 difference within the minutes between two polls of the account',
      ]);
      // Its moment is that of the reader's clock.
      await shown
        .nth(1)
        .getByText(/No charge was found, though charges are synced until 1 Feb 2026, 00:00$/)
        .waitFor();
      expect(await page.locator('#credit [data-field=differenceUsd]').textContent()).toBe('$7.00');
      const section = page.locator('#reconciliation');
      // No row is a whole month.
      expect(await section.textContent()).not.toContain('by month');
      // The months leave out what the sum at the top has and no charge covers.
      await page.locator('#credit caption').getByText('Charged consumption and what was paid in').waitFor();
      await section.getByText('Only charges in the range shown count. An account').waitFor();
      totals = [{ category: 'consumption', basis: 'estimated', amountUsd: '2.5', entries: 1 }];
      await page.reload();
      await section
        .getByText('Only charges in the range shown count: $2.50 estimated, not charged so far, is left out.')
        .waitFor();
      items = Array.from({ length: 12 }, (_, place) => ({
        ...{ ...line, subject: `instance-${place}`, status: 'unexplained', reason: 'unexplained' },
      }));
      await page.reload();
      await section.getByText('The first 10 of 12 differences.').waitFor();
      expect(await shown.count()).toBe(10);
      await section.getByRole('button', { name: 'Show more' }).click();
      await expect.poll(() => shown.count(), patiently).toBe(12);
      items = [{ ...line, subject: 'instance-1', status: 'withinPolls', reason: 'within the minutes' }];
      await page.reload();
      await section.getByText('the 1 difference below comes from the minutes between two polls').waitFor();
      expect(await section.textContent()).not.toContain('agree with their');
      // The button is level with its field.
      const [field, button] = await Promise.all(
        [page.locator('input[name=balance]'), page.getByRole('button', { name: 'Record' })].map(
          async (each) => await each.boundingBox(),
        ),
      );
      const bottomOf = (box: typeof field): number => (box?.y ?? 0) + (box?.height ?? 0);
      expect(Math.abs(bottomOf(field ?? null) - bottomOf(button ?? null))).toBeLessThan(6);
    });

    it('offers to sync bills where there are none, without a command to type', async () => {
      const asked: unknown[] = [];
      const page = await open('/spend', async (page) => {
        await page.route('**/api/spend?*', (route) =>
          perturb<Spend>(route, (spend) => ({
            ...spend,
            ...{ items: [], totals: [], readUntil: { charges: null, invoices: null } },
          })),
        );
        await page.route('**/api/crawls', async (route) => {
          asked.push(route.request().postDataJSON());
          await route.fulfill({ status: 202, json: { crawlIds: ['one'] } });
        });
      });
      await page.getByRole('button', { name: 'Sync bills now' }).click();
      await page.locator('.said').getByText('Syncing bills').waitFor();
      expect(asked).toEqual([{ kind: 'charges' }, { kind: 'invoices' }]);
      expect(await page.locator('#spend').textContent()).not.toContain('npx');
    });
  });
}
