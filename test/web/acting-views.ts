import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Actions, Instances, Quote } from '../../web/core/acting-api.ts';
import type { Rankings, Status } from '../../web/core/api.ts';
import { type PageFixture, patiently, perturb, settled } from './page-fixture.ts';

/** The promises of renting and of the instances, checked in a real browser against simulator and database. */
export function describeActingViews({ server, open, ask }: PageFixture): void {
  describe('views of what is rented', () => {
    const instances = async () => (await ask<Instances>('/api/instances')).items;

    // The books of the other tests are of a smaller market than the one that can be rented from.
    beforeAll(async () => {
      const newest = async () =>
        (await ask<Status>('/api/status')).newestBooks.find(({ type }) => type === 'on-demand')?.observedAt;
      const before = await newest();
      const { url, token } = server();
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ type: 'on-demand' });
      expect((await fetch(`${url}/api/crawls`, { method: 'POST', headers, body })).status).toBe(202);
      await vi.waitFor(async () => expect(await newest()).not.toBe(before), {
        timeout: 200_000,
        interval: 500,
      });
    });

    /** Presses Tab until the focus is on what `selector` finds: as far as a keyboard has to go. */
    async function tabTo(page: Page, selector: string): Promise<void> {
      for (let presses = 0; presses < 400; presses += 1) {
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector))
          return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`the keyboard does not reach ${selector}`);
    }

    it('rents and destroys by the keyboard alone, with price and warnings before', async () => {
      const page = await open('/deals?by=usdPerGpuHour');
      await page.locator('#ranking tbody tr').first().waitFor();
      const { items } = await ask<Rankings>('/api/rankings?by=usdPerGpuHour&limit=1');
      await tabTo(page, '#ranking tbody tr:first-child a.button');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: `Rent ${items[0]?.gpuName}` }).waitFor();
      await tabTo(page, 'input[name=label]');
      await page.keyboard.type('by keyboard');
      await page.keyboard.press('Enter');
      await page.locator('#quote').waitFor();
      const asked = await page.locator('#quote dd.main').getAttribute('data-value');
      expect(Number(asked)).toBeGreaterThan(0);
      await tabTo(page, '#quote button.primary');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await tabTo(page, 'dialog button.primary');
      await page.keyboard.press('Enter');
      const row = page.locator('#instance-table tbody tr').filter({ hasText: 'by keyboard' });
      await row.waitFor();
      const [rented] = await instances();
      expect(rented?.label).toContain('by keyboard');
      expect(rented?.instanceId).not.toBeNull();
      await row.getByRole('button', { name: /^Destroy / }).waitFor();
      await tabTo(page, '#instance-table button.danger');
      await page.keyboard.press('Enter');
      await page.getByText('Everything on its disk is lost').waitFor();
      // Neither without its name nor with another's.
      const destroys = page.locator('dialog button.danger');
      expect(await destroys.isDisabled()).toBe(true);
      await tabTo(page, 'dialog input[name=typed]');
      await page.keyboard.type('by keyboar');
      expect(await destroys.isDisabled()).toBe(true);
      await page.keyboard.type('d');
      await tabTo(page, 'dialog button.danger');
      await page.keyboard.press('Enter');
      const ended = async () => (await instances()).map(({ wanted, state }) => wanted ?? state);
      await expect.poll(ended, patiently).toEqual(['destroyed']);
      await row.getByText(/destroyed/).waitFor();
    });

    it('shows the quote as the API gives it, and offers no rent that would be refused', async () => {
      const { items } = await ask<Rankings>('/api/rankings?limit=1');
      const page = await open(`/rent/${items[0]?.offerId}`, (page) =>
        page.route('**/api/quotes', (route) =>
          perturb<Quote>(route, (quote) => ({
            ...{ ...quote, usdPerHour: '12.345678', wouldRent: false },
            warnings: [{ kind: 'deverified', message: 'The market has withdrawn its trust.' }],
            guards: [{ guard: 'MAX_INSTANCES', limit: '1', value: '2', message: 'Two would be too many.' }],
          })),
        ),
      );
      await page.getByRole('button', { name: 'Quote' }).click();
      await page.getByText('Two would be too many.').waitFor();
      await page.getByText('The market has withdrawn its trust.').waitFor();
      expect(await page.locator('#quote dd.main').textContent()).toBe('$12.3457 an hour');
      expect(await page.getByRole('button', { name: 'Rent …' }).isDisabled()).toBe(true);
    });

    it('stops all new rents and allows them again, here and in another window at once', async () => {
      const page = await open('/instances');
      const other = await open('/instances');
      await page.getByRole('button', { name: 'Stop all new rents' }).click();
      await other.locator('[data-kill]').waitFor();
      expect((await ask<Actions>('/api/actions')).enabled).toBe(false);
      await page.getByRole('button', { name: 'Allow rents again' }).click();
      await other.getByRole('button', { name: 'Stop all new rents' }).waitFor();
      expect((await ask<Actions>('/api/actions')).enabled).toBe(true);
    });

    it('goes on asking while the stream of events is closed, and takes it up again', async () => {
      let answer: 'cut' | 'pass' = 'cut';
      const page = await open('/instances', async (page) => {
        await page.clock.install();
        await page.route('**/api/events*', (route) => (answer === 'cut' ? route.abort() : route.fallback()));
      });
      await page.locator('[data-stream=closed]').waitFor();
      await settled(page);
      const asked = page.waitForRequest('**/api/instances');
      await page.clock.fastForward('00:16');
      await asked;
      answer = 'pass';
      await page.clock.fastForward('00:06');
      await page.locator('[data-stream=open]').waitFor(patiently);
    });
  });
}
