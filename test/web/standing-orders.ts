import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DryRun, StandingOrder, Watch } from '../../web/core/api.ts';
import { barriers } from './every-view.ts';
import { twoFrames } from './layout-shifts.ts';
import { type PageFixture, patiently, settled, tabTo } from './page-fixture.ts';
import { rawValues } from './shown-values.ts';

/** Tests of standing orders in a real browser, against the simulator and the database. */
export function describeStandingOrders({ server, newPage, open, ask, send, crawled }: PageFixture): void {
  describe('standing orders', () => {
    let watch: Watch;

    beforeAll(async () => {
      await crawled();
      const filters = { type: ['on-demand', 'bid'] };
      watch = await send<Watch>('POST', '/api/watches', { name: 'Any machine', filters });
    });
    afterAll(async () => {
      for (const { id, state } of await orders()) {
        if (state === 'armed') await send('POST', `/api/orders/${id}/pause`);
        await send('DELETE', `/api/orders/${id}`);
      }
      await send('DELETE', `/api/watches/${watch.id}`);
    });

    const orders = async () => (await ask<{ items: StandingOrder[] }>('/api/orders')).items;
    const own = async (name: string) => (await orders()).find((order) => order.name === name);
    const focused = (page: Page) =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id);

    /** Adds an order that rents nothing, because its price is far too low. */
    const addCheap = async (name: string): Promise<StandingOrder> => {
      const order = await send<StandingOrder>('POST', '/api/orders', {
        ...{ name, endsAt: '2100-01-01T00:00:00Z', request: { image: 'ubuntu:24.04', diskGb: 16 } },
        choices: [{ watchId: watch.id, maxUsdPerGpuHour: 0.0001 }],
      });
      await send<DryRun>('POST', `/api/orders/${order.id}/dry-run`);
      return order;
    };

    /** Asserts that the page is not wider than the screen. */
    const fits = async (page: Page): Promise<void> => {
      await page.evaluate(twoFrames);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
      ).toBeLessThanOrEqual(0);
    };

    it('are created, tried with other prices, armed and followed to their instances with the keyboard only', async () => {
      const page = await open('/orders', undefined, 1440);
      await page.getByText('No orders yet').waitFor();
      await tabTo(page, 'a.button[href="/orders/new"]');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'New order' }).waitFor();
      await fill(page, 'input[name=order-name]', 'night run');
      await fill(page, 'input[name=count]', '2');
      await fill(page, 'input[name=budgetUsd]', '900');
      await fill(page, 'select[name=watchId]', 'Any machine');
      await fill(page, 'input[name=maxUsdPerGpuHour]', '100');
      await page.keyboard.press('Enter');
      // What the API refuses is said at the field, which gets the focus.
      const budget = page.locator('input[name=budgetUsd]');
      await page.locator('input[name=budgetUsd][aria-invalid=true]').waitFor();
      expect(await budget.evaluate((input) => input === document.activeElement)).toBe(true);
      expect(await page.locator('.field:has([name=budgetUsd]) .failure').textContent()).toContain(
        'Needs “Time limit” and “At the time limit” “Destroy”',
      );
      expect(await orders()).toEqual([]);
      expect(await barriers(page, 'light')).toEqual([]);
      await fill(page, 'input[name=maxHours]', '6');
      await tabTo(page, 'input[name=endAction]');
      await page.keyboard.press('ArrowRight');
      await tabTo(page, 'button[type=submit]');
      await page.keyboard.press('Enter');

      await page.getByRole('heading', { name: 'night run' }).waitFor();
      const draft = await own('night run');
      expect(draft).toMatchObject({
        ...{ state: 'draft', count: 2, budgetUsd: '900' },
        choices: [{ watchId: watch.id, maxUsdPerGpuHour: 100 }],
        request: { image: 'ubuntu:24.04', diskGb: 8, maxHours: 6, endAction: 'destroy' },
      });
      const dryRun = page.locator('#dry-run');
      await dryRun.getByText('It would have rented 2 machines, at $').waitFor();
      expect(await dryRun.locator('[data-field=usdPerGpuHour]').evaluateAll(rawValues)).toEqual(
        draft?.dryRun?.rents.map(({ usdPerGpuHour }) => String(usdPerGpuHour)),
      );
      await dryRun.getByText(`It would have looked at ${draft?.dryRun?.books} book`).waitFor();

      await tabTo(page, '#dry-run a[href$="/edit"]');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Edit night run' }).waitFor();
      await fill(page, 'input[name=maxUsdPerGpuHour]', '0.0001');
      await tabTo(page, 'button[type=submit] + button');
      await page.keyboard.press('Enter');
      await page.locator('#tried').getByText('It would have rented nothing').waitFor();
      expect((await own('night run'))?.choices).toEqual(draft?.choices);
      await tabTo(page, '#order-editor .row a.button');
      await page.keyboard.press('Enter');

      await tabTo(page, '#order button[aria-label="Arm night run"]');
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('It may rent 2 machines and spend up to $900.00, its budget').waitFor();
      expect(await barriers(page, 'light')).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      expect(await focused(page)).toBe('Arm night run');
      expect((await own('night run'))?.state).toBe('draft');
      await page.keyboard.press('Enter');
      await tabTo(page, 'dialog button.primary');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      const rented = page.locator('#attempt-table tr:has([data-field=outcome][data-value=rented])');
      await expect.poll(() => rented.count(), patiently).toBe(2);
      await page.locator('[data-fact=machines]').getByText('2 of 2').waitFor();
      const attempts = (await own('night run'))?.attempts ?? [];
      expect(await page.locator('#attempt-table [data-field=usdPerHour]').evaluateAll(rawValues)).toEqual(
        attempts.toReversed().map(({ usdPerHour }) => usdPerHour),
      );
      const ids = attempts.flatMap(({ instanceId }) => instanceId ?? []).toReversed();
      expect(ids).toHaveLength(2);
      await tabTo(page, '#attempt-table a');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(String(ids[0]));
      await page.keyboard.press('Enter');
      await page.locator('#instance [data-fact=label]').getByText('night run').waitFor();
      expect(new URL(page.url()).pathname).toBe(`/instances/${ids[0]}`);
      for (const id of ids) await send('DELETE', `/api/instances/${id}`);
    });

    it('are watched in a list that another window changes, and paused where they are', async () => {
      const { id } = await addCheap('cheap ones');
      const page = await open('/orders', undefined, 1440);
      const row = page.locator(`#order-table tr[data-key="${id}"]`);
      await row.getByText('not armed yet').waitFor();
      await send('POST', `/api/orders/${id}/arm`);
      await row.getByText('armed, waiting for an offer that fits').waitFor(patiently);
      expect(await row.textContent()).toContain('Any machine: max $0.0001/GPU-hour');
      await tabTo(page, 'button[aria-label="Pause cheap ones"]');
      await page.keyboard.press('Enter');
      await row.getByText('paused').waitFor();
      expect((await own('cheap ones'))?.state).toBe('paused');
      expect(await focused(page)).toBe('Arm cheap ones');
    });

    it('have choices that are added, moved and removed on a phone, are changed while armed, and removed', async () => {
      const page = await open('/orders/new', undefined, 390);
      await page.locator('input[name=order-name]').fill('by phone');
      const choices = page.locator('.preference');
      const price = (place: number) => choices.nth(place).locator('input[name=maxUsdPerGpuHour]');
      for (const [place, usd] of ['0.0003', '0.0002', '0.0001'].entries()) {
        if (place > 0) await page.getByRole('button', { name: 'Add another choice' }).click();
        await choices.nth(place).locator('select[name=watchId]').selectOption(watch.id);
        await price(place).fill(usd);
      }
      await choices.nth(0).getByLabel('Among the cheapest, %').fill('10');
      await choices.nth(2).getByLabel('Bid for interruptible machines').check();
      await choices.nth(2).locator('input[name=stepPercent]').fill('20');
      await page.getByRole('button', { name: 'Move choice 3 up' }).click();
      expect(await focused(page)).toBe('Move choice 2 up');
      await page.getByRole('button', { name: 'Remove choice 3' }).click();
      expect(await price(1).inputValue()).toBe('0.0001');
      await fits(page);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('heading', { name: 'by phone' }).waitFor();
      const stored = await own('by phone');
      expect(stored?.choices).toEqual([
        {
          watchId: watch.id,
          maxUsdPerGpuHour: 0.0003,
          maxPercentile: { percentile: 10, days: 30 },
        },
        {
          ...{ watchId: watch.id, maxUsdPerGpuHour: 0.0001 },
          bid: { abovePercent: 10, stepPercent: 20, whenOutbid: 'wait' },
        },
      ]);
      await page.getByText('bids up to $0.0001/GPU-hour').waitFor();
      await page.locator('#dry-run [data-bid-chance="1"]').waitFor();
      await settled(page);
      await fits(page);
      await page.getByRole('button', { name: 'Arm by phone' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('no time limit: its machines cost money until you destroy them').waitFor();
      await fits(page);
      await dialog.getByRole('button', { name: 'Arm it' }).click();
      await page.locator('#order [data-state=armed]').waitFor();
      expect(await page.getByRole('button', { name: 'Remove…' }).isDisabled()).toBe(true);
      await page.goto(`${server().url}/orders`);
      await page.locator('#order-table').waitFor();
      await fits(page);

      await page.getByRole('link', { name: 'Edit by phone' }).click();
      await page.getByText('Saving pauses it').waitFor();
      await page.locator('input[name=order-name]').fill('by phone, later');
      await page.getByRole('button', { name: 'Pause and save' }).click();
      await page.getByRole('heading', { name: 'by phone, later' }).waitFor();
      expect(await own('by phone, later')).toMatchObject({
        ...{ state: 'paused', choices: stored?.choices, dryRun: stored?.dryRun, endsAt: stored?.endsAt },
      });
      // Nothing but the change itself makes the page load the order again.
      await page.getByRole('link', { name: 'Edit by phone, later' }).click();
      await page.locator('input[name=count]').fill('3');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.locator('[data-fact=machines]').getByText('0 of 3').waitFor();
      await page.locator('#dry-run [data-would-rent]').waitFor();
      await page.getByRole('button', { name: 'Remove…' }).click();
      await dialog.getByRole('button', { name: 'Remove it' }).click();
      await page.locator('.said').getByText('removed').waitFor();
      expect(await own('by phone, later')).toBeUndefined();
    });

    it('say to a viewer that the role does not allow a change', async () => {
      const { id } = await addCheap('seen by a viewer');
      const role = { name: 'a viewer of orders', role: 'viewer' };
      const made = await send<{ id: string; token: string }>('POST', '/api/tokens', role);
      const page = await newPage();
      const { url } = server();
      await page.request.post(`${url}/api/session`, {
        data: { token: made.token },
        headers: { origin: url },
      });
      await page.goto(`${url}/orders/${id}`);
      await page.getByText('Viewing only: ask an operator to place or change orders.').first().waitFor();
      expect(await page.getByRole('button', { name: 'Arm seen by a viewer' }).count()).toBe(0);
      await send('DELETE', `/api/tokens/${made.id}`);
    });
  });
}

/** Goes to a field with the keyboard and types into it. */
async function fill(page: Page, selector: string, text: string): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.type(text);
}
