import type { Locator, Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ListingHistory, Rankings } from '../../web/core/api.ts';
import { landSomeBills } from './account-views.ts';
import { type PageFixture, patiently, perturb, widths } from './page-fixture.ts';

/** A figure's place on the page and its name in the explanation. */
interface Explained {
  what: string;
  /** Selector of the cell with the figure, which opens its explanation. */
  cell: string;
  figure: string;
  /** What must be opened first. */
  opened?: string;
}

const explained: Record<string, readonly Explained[]> = {
  '/market': [
    { what: 'the median of the market', cell: '#models [data-field=median]', figure: 'median' },
    { what: 'the lowest price', cell: '#models [data-field=lowest]', figure: 'lowest' },
    { what: 'the minimum bid', cell: '#models [data-field=bidMedian]', figure: 'median' },
    {
      what: 'the bid spread',
      cell: '#models [data-field=bidSpreadPercent]',
      figure: 'bidSpreadPercent',
    },
    { what: 'the number of offers', cell: '#models [data-field=offers]', figure: 'offers' },
    { what: 'the supply of GPUs', cell: '#models [data-field=physicalGpus]', figure: 'physicalGpus' },
    { what: 'a change', cell: '#models [data-field=change1]', figure: 'percent' },
  ],
  '/deals?by=usdPerGpuHour&columns=allInUsdPerHour': [
    {
      what: 'an all-in price',
      cell: '#ranking tbody tr:nth-child(2) [data-field=allInUsdPerHour]',
      figure: 'allInUsdPerHour',
    },
    { what: 'a rank', cell: '#ranking tr[data-rank="3"] [data-field=value]', figure: 'usdPerGpuHour' },
  ],
  '/deals?gpuName=RTX+4090&type=bid&by=usdPerGpuHour': [
    {
      what: 'the cases of waiting',
      cell: '.waits [data-field=cases]',
      figure: 'cases',
      opened: '.waits > summary',
    },
  ],
  '/trends?gpuName=RTX+4090': [
    {
      what: 'an hour of the week',
      cell: '.week td[data-value]',
      figure: 'median',
      opened: 'details.pattern > summary',
    },
    {
      what: 'the volatility',
      cell: '.pattern [data-field=volatilityPercent]',
      figure: 'volatilityPercent',
    },
    { what: 'a forecast', cell: '#forecast li', figure: 'days' },
  ],
  '/trends?gpuName=RTX+4090&type=bid': [
    { what: 'a change', cell: '#change-table [data-field=change1]', figure: 'percent' },
  ],
  '/spend?from=2026-01-01&group=label': [
    { what: 'a sum', cell: '#spend [data-total="consumption/charged"]', figure: 'amountUsd' },
    {
      what: 'a group',
      // An estimate grows from one second to the next.
      cell: '#spend-table tr:not(:has-text("estimate")) [data-field=amountUsd]',
      figure: 'amountUsd',
    },
    {
      what: 'a day',
      cell: '#spend-values [data-field=amountUsd]',
      figure: 'amountUsd',
      opened: '#spend details.values > summary',
    },
  ],
};

const figureOf = (page: Page, name: string): Locator => page.locator(`#explanation tr[data-key="${name}"]`);
const shownIn = (page: Page, name: string): Promise<string | null> =>
  figureOf(page, name).locator('[data-field=shown]').getAttribute('data-value', patiently);

/** Expects the explanation to show the figure, recomputed with the same result. */
async function expectExplained(
  page: Page,
  name: string,
  wanted: string | null,
  { isMoving } = { isMoving: false },
): Promise<void> {
  await page.locator('#explanation').waitFor();
  const figure = await shownIn(page, name);
  if (isMoving) expect(Number(figure)).toBeCloseTo(Number(wanted), 1);
  else expect(figure).toBe(wanted);
  const again = await figureOf(page, name).locator('[data-field=again]').getAttribute('data-value');
  expect(Number(again)).toBeCloseTo(Number(figure), 7);
  expect(await page.locator('#explanation .remark').count()).toBe(0);
}

/** The cost of running instances grows between the page and its explanation. */
const moving = { isMoving: true };

/** Tests in a real browser that every figure opens an explanation of how it was computed. */
export function describeExplanations({ server, open, ask, send }: PageFixture): void {
  describe('how a figure was computed', () => {
    it.each(Object.entries(explained))(
      'figures of %s open it: the figure shown and the same computed again',
      async (path, figures) => {
        if (path.startsWith('/spend')) await landSomeBills(server().sql);
        const page = await open(path);
        for (const { what, cell, figure, opened } of figures) {
          if (opened !== undefined) await page.locator(opened).click();
          const place = page
            .locator(cell)
            .filter({ has: page.locator('[data-explain]') })
            .first();
          await place.locator('[data-explain]').click();
          await expectExplained(page, figure, await place.getAttribute('data-value'));
          const said = page.locator('#explanation p:not(.caption)').first();
          expect((await said.textContent())?.length, what).toBeGreaterThan(20);
          // The figures come first, the rules after them.
          const [table, rules] = await Promise.all(
            [page.locator('#explanation table').first(), said].map((each) => each.boundingBox()),
          );
          expect(table?.y, what).toBeLessThan(rules?.y ?? 0);
          await page.keyboard.press('Escape');
          await page.locator('#explanation').waitFor({ state: 'detached' });
        }
      },
    );

    it.each([
      { path: '/market', cell: '#models [data-field=lowest]' },
      { path: '/today', cell: '#cheapest-offers [data-field=lowest]' },
    ])(
      'the offers behind a lowest price of $path say how reliable they are and when the host ends them',
      async ({ path, cell }) => {
        const page = await open(path);
        await page.route('**/api/explain*', (route) =>
          perturb<{ items: Record<string, unknown>[] }>(route, ({ items, ...answer }) => ({
            ...answer,
            items: items.slice(0, 1).flatMap((item) => {
              const endsAt = new Date(Date.now() + 30.5 * 3_600_000).toISOString();
              const alike = { ...item, reliability: 0.9964, verification: 'deverified', endsAt };
              return [alike, { ...alike, listingId: '999999' }];
            }),
          })),
        );
        await page.locator(`${cell} [data-explain]`).first().click();
        const row = page.locator('#explanation tbody').last().locator('tr').first();
        await row.getByText('99.6%', { exact: true }).waitFor();
        await row.locator('.tag.warn', { hasText: 'deverified' }).waitFor();
        await row.locator('.tag.warn', { hasText: 'in 30 h' }).waitFor();
        await row.getByText('1 of 2', { exact: true }).waitFor();
        const heads = (await page.locator('#explanation thead').allTextContents()).join(' ');
        expect(heads).toContain('Host ends it');
        expect(heads).not.toContain('$');
        const box = await row.locator('.tag', { hasText: 'in 30 h' }).boundingBox();
        const dialog = await page.locator('dialog').boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan((dialog?.x ?? 0) + (dialog?.width ?? 0));
      },
    );

    it.each(widths)(
      'opens in a dialog with its own address, usable with the keyboard, %s wide',
      async (width) => {
        const page = await open('/market', undefined, width);
        const button = page.locator('#models [data-field=median] [data-explain]').first();
        // Focus and key in one step: a book that lands in between moves the row.
        await button.press('Enter');
        await page.locator('#explanation').waitFor();
        const median = await shownIn(page, 'median');
        const address = page.url();
        await page.keyboard.press('Escape');
        await expect.poll(() => page.locator('dialog').count(), patiently).toBe(0);
        expect(new URL(page.url()).search).toBe('');
        expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
        // Closed twice before the browser has gone back, it goes back once.
        await button.press('Enter');
        await page.locator('#explanation').waitFor();
        await page.locator('dialog').evaluate((dialog) => {
          dialog.dispatchEvent(new Event('close'));
          dialog.dispatchEvent(new Event('close'));
        });
        await expect.poll(() => page.locator('dialog').count(), patiently).toBe(0);
        // The next step back leaves the view, also where the address was opened with it.
        await page.goBack();
        expect(page.url()).toBe('about:blank');
        await page.goto(address);
        await page.locator('#explanation').waitFor();
        await page.keyboard.press('Escape');
        await expect.poll(() => new URL(page.url()).search, patiently).toBe('');
        await page.goBack();
        expect(page.url()).toBe('about:blank');
        await page.goto(address);
        expect(await shownIn(page, 'median')).toBe(median);
        // All are of one book.
        const heads = page.locator('#explanation [aria-label=Rows] thead');
        expect(await heads.textContent()).not.toContain('Books');
        // On a phone no column of its tables is out of sight.
        await page.setViewportSize({ width: 390, height: 900 });
        const beyond = await page
          .locator('#explanation .scroll')
          .evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth));
        expect(beyond).toEqual([0, 0]);
      },
    );

    it('lists the rows taken, and those left out with the reason', async () => {
      const page = await open(
        '/deals?gpuName=RTX+4090&by=usdPerGpuHour&reliable=off&deverifiedLast=false&outliersLast=false',
      );
      const { items } = await ask<Rankings>('/api/rankings?gpuName=RTX+4090&by=usdPerGpuHour&limit=50');
      const [first] = items;
      await page.locator('#ranking .judged [data-explain]').first().click();
      await expectExplained(page, 'percentileNow', String(first?.verdict?.comparableNow.percentile));
      const rows = page.locator('#explanation [aria-label=Rows] tbody tr');
      expect(await rows.count()).toBeGreaterThan(0);
      await page.getByRole('button', { name: /left out$/ }).click();
      await expect
        .poll(() => rows.first().textContent(), patiently)
        .toMatch(/other verification|not the lowest/);
    });

    it('of a rank marks the own row, and not the one under the pointer', async () => {
      const page = await open('/deals?gpuName=RTX+4090&by=usdPerGpuHour');
      await page.locator('#ranking tr[data-rank="2"] [data-field=value] [data-explain]').click();
      await page.locator('#explanation').getByText('Rank 2: 1 offer comes before it.').waitFor();
      const rows = page.locator('#explanation [aria-label=Rows] tbody tr');
      const own = rows.and(page.locator('[aria-current=true]'));
      expect(await own.locator('span.tag').allTextContents()).toEqual(['this offer']);
      expect(await rows.nth(1).getAttribute('aria-current')).toBe('true');
      const shadeOf = (row: Locator) =>
        row
          .locator(':is(th, td)')
          .first()
          .evaluate((cell) => getComputedStyle(cell).backgroundColor);
      await rows.nth(2).hover();
      const [shaded, marked, plain] = await Promise.all([2, 1, 3].map((nth) => shadeOf(rows.nth(nth))));
      expect(marked).not.toBe(plain);
      const card = await page.locator('dialog').evaluate((box) => getComputedStyle(box).backgroundColor);
      expect([plain, 'rgba(0, 0, 0, 0)', card]).toContain(shaded);
    });

    it('opens from a point of the chart, by a click and by Enter, and from its row of the table', async () => {
      const page = await open('/trends?gpuName=RTX+4090&bucket=book');
      const chart = page.locator('.chart');
      await chart.focus();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      const t = await page.locator('.quotes').getAttribute('data-point');
      await page.keyboard.press('Enter');
      await page.locator('#explanation').waitFor();
      expect(new URLSearchParams(new URL(page.url()).searchParams.get('explain') ?? '').get('at')).toBe(t);
      const median = await shownIn(page, 'median');
      await page.keyboard.press('Escape');
      await page.locator('details.values > summary').click();
      const row = page.locator(`#trend-values tr[data-t="${t}"]`);
      await row.locator('[data-explain]').click();
      await expectExplained(
        page,
        'median',
        await row.locator('[data-field=median]').getAttribute('data-value'),
      );
      expect(await shownIn(page, 'median')).toBe(median);
      await page.keyboard.press('Escape');
      await chart.click();
      await page.locator('#explanation').waitFor();
    });

    it('opens from the figures of a listing', async () => {
      const { items } = await ask<Rankings>('/api/rankings?limit=1');
      const id = items[0]?.listingId ?? '';
      const { priceIntervals } = await ask<ListingHistory>(`/api/listings/${id}/history`);
      const page = await open(`/listings/${id}`);
      await page.locator('#listing .main [data-explain]').click();
      await expectExplained(page, 'usdPerGpuHour', String(priceIntervals.at(-1)?.usdPerGpuHour));
    });

    it('asks about an instance beside the market by its source', async () => {
      const item = {
        paidUsd: '2',
        comparedUsd: '2',
        overMedianUsd: '0.5',
        overMinUsd: '1',
        overLowestUsd: '1',
        hours: [],
      };
      const named = { instanceId: 7, source: 'instance-7', label: null, gpuName: 'RTX 4090', numGpus: 1 };
      const page = await open('/spend?from=2026-01-01', async (fresh) => {
        await fresh.route('**/api/spend/vs-market?*', (route) =>
          perturb(route, (answer: object) => ({
            ...answer,
            items: [{ ...item, ...named, unattributable: null, cheaperEqual: null }],
          })),
        );
      });
      await page.locator('#market-prices > summary').click();
      const asked = page.waitForRequest('**/api/explain?*');
      await page.locator('#vs-market [data-field=overMedianUsd] [data-explain]').click();
      const { searchParams } = new URL((await asked).url());
      expect([searchParams.get('of'), searchParams.get('source'), searchParams.get('from')]).toEqual([
        ...['vs-market', 'instance-7', '2026-01-01'],
      ]);
    });

    it('opens from the balance and from a budget, entry by entry', async () => {
      await landSomeBills(server().sql);
      type Kept = { items: { id: string }[] };
      const removeAll = async (): Promise<void> => {
        for (const name of ['budgets', 'balances']) {
          const { items } = await ask<Kept>(`/api/${name}`);
          for (const { id } of items) await send('DELETE', `/api/${name}/${id}`);
        }
      };
      onTestFinished(removeAll);
      await removeAll();
      await send('POST', '/api/balances', { amountUsd: '100', at: '2025-12-31T00:00:00Z' });
      await send('POST', '/api/budgets', { monthlyUsd: '250' });
      const page = await open('/spend?from=2026-01-01');
      const balance = page.locator('#balance [data-field=amountUsd]');
      await balance.locator('[data-explain]').click();
      // The payment and both charges.
      await expectExplained(page, 'amountUsd', await balance.getAttribute('data-value'), moving);
      expect(await page.locator('#explanation [aria-label=Rows] tbody tr').count()).toBeGreaterThanOrEqual(3);
      await page.keyboard.press('Escape');
      const spent = page.locator('#budgets [data-field=spentUsd]');
      await spent.locator('[data-explain]').click();
      await expectExplained(page, 'spentUsd', await spent.getAttribute('data-value'), moving);
    });

    it('says so if the recomputed figure differs', async () => {
      const page = await open('/market', async (fresh) => {
        await fresh.route('**/api/explain?*', (route) =>
          perturb<{ agrees: boolean }>(route, (answer) => ({ ...answer, agrees: false })),
        );
      });
      await page.locator('#models [data-field=median] [data-explain]').first().click();
      await page.getByText('The figures differ').waitFor();
    });
  });
}
