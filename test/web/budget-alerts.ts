import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { publishEvent } from '../../src/rentals/events.sql.ts';
import type { Channel, Rule, Status } from '../../web/core/api.ts';
import { dialogOf } from './alert-me.ts';
import { type PageFixture, patiently, perturb, widths } from './page-fixture.ts';

interface List<T> {
  items: T[];
}

/** Tests in a real browser an alert on a budget, and what becomes of one whose channel is missing or off. */
export function describeBudgetAlerts({ open, ask, send, server }: PageFixture): void {
  /** What the page hears of when an alert fires, and when an attempt to deliver it has ended. */
  const happens = (kind: 'alert' | 'delivery') =>
    server().sql.begin((tx) => publishEvent(tx, { at: new Date(), marketId: null, kind, data: {} }));

  describe('alert me', () => {
    it('of a budget fires at a share of it; a viewer sees no button', async () => {
      const budget = await send<{ id: string }>('POST', '/api/budgets', {
        monthlyUsd: '250',
        label: 'research',
      });
      const page = await open('/spend');
      const nowhere = { at: '2026-03-04T12:00:00Z', heldUntil: null, undeliveredTo: [], deliveries: [] };
      let fired: object[] = [];
      await page.route('**/api/rules/*/alerts*', (route) =>
        perturb<List<unknown>>(route, (answer) => ({
          ...answer,
          items: fired,
        })),
      );
      await page.getByRole('button', { name: 'Alert me: the budget for research' }).click();
      const dialog = dialogOf(page);
      await dialog.getByText('% of $250.00').waitFor();
      await dialog.locator('[data-notifies=nobody]').waitFor();
      // No gap stands above it while nothing was tested.
      const place = dialog.locator('[data-test]').evaluate((line) => getComputedStyle(line).position);
      expect(await place).toBe('absolute');
      await page.keyboard.type('60');
      await dialog.getByRole('button', { name: 'Save alert' }).click();
      // It is no success: it says so, and a channel can be added.
      await dialog.locator('[data-saved=unheard]').getByText('Saved, but it notifies nobody').waitFor();
      expect(await page.locator('.said').textContent()).toBe('');
      // The open box says what happened to it, and nothing in it moves then.
      await dialog.getByRole('heading', { name: 'Your alert', exact: true }).waitFor();
      await dialog.getByText('Has not fired yet').waitFor();
      const placesOf = () =>
        dialog.evaluate((box) =>
          [box, box.querySelector('[data-saved]'), box.querySelector('.stays button')].map((each) =>
            Math.round(each?.getBoundingClientRect().y ?? 0),
          ),
        );
      const places = await placesOf();
      fired = [{ ...nowhere, suppressed: 'no-channel' }];
      await happens('alert');
      await dialog.getByText('sent to nobody: it had no channel').waitFor();
      await dialog.getByText('(a channel added while its condition holds gets it)').waitFor();
      const moves = (await placesOf()).map((y, at) => Math.abs(y - (places[at] ?? Number.NaN)));
      expect(Math.max(...moves)).toBeLessThanOrEqual(1);
      const problem = 'HTTP 410';
      fired = [
        {
          ...{ ...nowhere, suppressed: null, undeliveredTo: ['pager'] },
          deliveries: [{ channel: 'pager', state: 'refused', problem }],
        },
      ];
      await happens('delivery');
      await dialog.getByRole('button', { name: 'Leave it without a channel' }).waitFor();
      // A new channel is notified without another step.
      await dialog.getByLabel('Kind').selectOption('webhook');
      await dialog.getByLabel('Signing key (leave empty to have one made)').waitFor();
      await dialog.locator('input[name=config-url]').fill('http://127.0.0.1:8398/hook');
      await dialog.locator('[data-private]').getByText('WEBHOOK_ALLOW_PRIVATE=on').waitFor();
      await dialog.locator('input[name=config-url]').fill('https://hooks.example/offerbook');
      await dialog.locator('[data-private]').waitFor({ state: 'hidden' });
      await dialog.locator('input[name=config-url]').fill('http://127.0.0.1:8398/hook');
      await page.route('**/api/channels?*', (route) =>
        perturb<List<Channel>>(route, ({ items }) => ({
          items: items.map((each) => ({ ...each, offReason: 'it is gone' })),
        })),
      );
      await page.setViewportSize({ width: 390, height: 700 });
      await dialog.getByRole('button', { name: 'Add channel' }).click();
      // What had fired goes to it, and the list knows its name.
      await dialog.getByRole('link', { name: 'not delivered to pager (HTTP 410)' }).waitFor();
      await dialog.getByText('Notifies nobody: webhook is off').waitFor();
      // It looks chosen, but not as one that is on, and why is above the buttons, not behind them.
      const off = dialog.getByLabel('webhook (off)').locator('xpath=following-sibling::span');
      expect(await off.evaluate((element) => getComputedStyle(element).fontWeight)).toBe('400');
      const isCovered = () =>
        dialog.evaluate((box) => {
          const [why, buttons] = ['[data-off]', '.stays'].map((each) =>
            box.querySelector(each)?.getBoundingClientRect(),
          );
          return why === undefined || buttons === undefined || why.bottom > buttons.top;
        });
      await expect.poll(isCovered, patiently).toBe(false);
      await dialog
        .locator('[data-saved=heard] strong')
        .getByText('Saved, but it notifies nobody yet: webhook is off.')
        .waitFor();
      // Once: what was saved does not say it again.
      await dialog
        .locator('[data-saved=heard]')
        .getByText('Copy the signing key of webhook below, then close.')
        .waitFor();
      expect(await dialog.getByText('it is gone').count()).toBe(1);
      await dialog.getByRole('button', { name: /^Send a test/ }).click();
      await dialog.locator('[data-test]').getByText('The test message to webhook failed: ').waitFor();
      await page.unroute('**/api/channels?*');
      // Its signing key is in sight, and the form no longer hides it.
      const key = dialog.locator('[data-signing-key]');
      await key.getByText('whsec_').waitFor();
      expect(await dialog.getByLabel('Kind').count()).toBe(0);
      const isInSight = () =>
        key.evaluate((element) => {
          const [own, box] = [element, element.closest('dialog')].map((each) =>
            each?.getBoundingClientRect(),
          );
          return own !== undefined && box !== undefined && own.top >= box.top && own.bottom <= box.bottom;
        });
      await expect.poll(isInSight, patiently).toBe(true);
      // What copying it says is in front of the dialog.
      await key.getByRole('button', { name: /^Cop/ }).click();
      await page
        .locator('.said:popover-open')
        .getByText(/Copied|copy/)
        .waitFor();
      await dialog.getByRole('button', { name: 'Close' }).last().click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Alert me: the budget for research (1 alert on)' }).waitFor();
      const [rule] = (await ask<List<Rule>>('/api/rules')).items.filter(({ kind }) => kind === 'budget');
      const [channel] = (await ask<List<Channel>>('/api/channels')).items;
      expect(rule).toMatchObject({ params: { budgetId: budget.id, share: 0.6 }, channelIds: [channel?.id] });
      await send('DELETE', `/api/channels/${channel?.id}`);
      await page.goto(new URL('/watches', page.url()).href);
      await page
        .locator('#rules tbody tr', { hasText: '60% of a budget' })
        .locator('[data-notifies=nobody]')
        .waitFor();
      await send('DELETE', `/api/rules/${rule?.id}`);
      await send('DELETE', `/api/budgets/${budget.id}`);
      await page.route('**/api/status', (route) =>
        perturb<Status>(route, (status) => ({ ...status, role: 'viewer' })),
      );
      await page.goto(new URL('/market', page.url()).href);
      await page.locator('#models tbody tr').first().waitFor();
      expect(await page.getByRole('button', { name: /^Alert me/ }).count()).toBe(0);
    });

    it.each(widths)('moves no button as a channel is chosen for a saved alert, %s wide', async (width) => {
      const budget = await send<{ id: string }>('POST', '/api/budgets', { monthlyUsd: '250', label: 'own' });
      const config = { url: 'https://hooks.example/offerbook' };
      const channel = await send<Channel>('POST', '/api/channels', { kind: 'webhook', config });
      const allOff = (page: Page) =>
        page.route('**/api/channels?*', (route) =>
          perturb<List<Channel>>(route, ({ items }) => ({
            items: items.map((each) => ({ ...each, offReason: 'it is gone' })),
          })),
        );
      const page = await open('/spend', allOff, width);
      await page.getByRole('button', { name: 'Alert me: the budget for own' }).click();
      const dialog = dialogOf(page);
      await dialog.locator('[data-notifies=nobody]').waitFor();
      await dialog.getByRole('button', { name: 'Save alert' }).click();
      await dialog.locator('[data-saved=unheard]').waitFor();
      await dialog.getByText('Has not fired yet').waitFor();
      const placesOf = () =>
        Promise.all(
          ['Notify this channel', 'Leave it without a channel', 'New channel…'].map(async (name) => {
            const { x, y } = (await dialog.getByRole('button', { name }).boundingBox()) ?? {};
            return [x ?? Number.NaN, y ?? Number.NaN];
          }),
        );
      const places = (await placesOf()).flat();
      await dialog.getByLabel('webhook (off)').click();
      await dialog.locator('[data-off]').getByText('while it is off: it is gone').waitFor();
      await dialog.getByRole('button', { name: 'Send a test' }).waitFor();
      const moves = (await placesOf())
        .flat()
        .map((at, which) => Math.abs(at - (places[which] ?? Number.NaN)));
      expect(Math.max(...moves)).toBeLessThan(2);
      await dialog.getByRole('button', { name: 'Notify this channel' }).click();
      await dialog.waitFor({ state: 'detached' });
      const [rule] = (await ask<List<Rule>>('/api/rules')).items.filter(({ kind }) => kind === 'budget');
      expect(rule?.channelIds).toEqual([channel.id]);
      await send('DELETE', `/api/rules/${rule?.id}`);
      await send('DELETE', `/api/channels/${channel.id}`);
      await send('DELETE', `/api/budgets/${budget.id}`);
    });
  });
}
