import { describe, expect, it } from 'vitest';
import type { Channel, Market, Rule } from '../../web/core/api.ts';
import { dialogOf } from './alert-me.ts';
import { type PageFixture, patiently, perturb, settled } from './page-fixture.ts';

interface List<T> {
  items: T[];
}

/** Tests in a real browser that the box of an alert and its bells know what another browser changed. */
export function describeAlertsElsewhere({ open, ask, send }: PageFixture): void {
  describe('alert me', () => {
    it('knows an alert that another browser added or deleted', async () => {
      const { items } = await ask<Market>('/api/market');
      const { gpuName = '' } = items[0] ?? {};
      const page = await open('/market', (page) => page.clock.install());
      const bell = page.locator(`[data-model="${gpuName}"] button[data-alerts]`);
      const isOn = (alerts: number) =>
        expect.poll(() => bell.getAttribute('data-alerts'), patiently).toBe(`${alerts}`);
      await isOn(0);
      await settled(page);
      const added = (usd: number) =>
        send<Rule>('POST', '/api/rules', {
          ...{ kind: 'priceBelow', params: { usd }, watch: { filters: { gpuName } } },
        });
      const first = await added(0.0001);
      await bell.click();
      await dialogOf(page).locator('[data-rule]').getByText('price below $0.0001/GPU-hour').waitFor();
      await page.keyboard.press('Escape');
      await isOn(1);
      // With the next status at the latest.
      const second = await added(0.0002);
      await page.clock.fastForward('00:31');
      await isOn(2);
      for (const { id } of [first, second]) await send('DELETE', `/api/rules/${id}`);
      await send('DELETE', `/api/watches/${first.watchId}`);
      await page.getByRole('navigation').getByRole('link', { name: 'Deals' }).click();
      await page.getByRole('navigation').getByRole('link', { name: 'Market' }).click();
      await isOn(0);
    });

    it('knows a channel that another browser added, and shows why a second one of its name is refused, 390 wide', async () => {
      const page = await open('/deals', undefined, 390);
      await page
        .getByRole('button', { name: /^Alert me: / })
        .first()
        .click();
      const dialog = dialogOf(page);
      await dialog.getByLabel('Kind').selectOption('file');
      const body = { kind: 'file', config: { path: 'elsewhere' } };
      const { id } = await send<Channel>('POST', '/api/channels', body);
      await dialog.locator('input[name=config-path]').fill('here');
      // Nothing above grows any more once the alert is tested on the past.
      await dialog.locator('[data-count]').waitFor();
      await dialog.getByRole('button', { name: 'Add channel' }).click();
      const refused = dialog.getByRole('alert').filter({ hasText: 'named "file"' });
      await dialog.getByLabel('file', { exact: true }).waitFor();
      expect(await dialog.getByText('there is no channel yet').count()).toBe(0);
      const edge = async () => (await dialog.locator('.stays').boundingBox())?.y ?? 0;
      const end = async () => {
        const box = await refused.boundingBox();
        return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
      };
      await expect.poll(async () => (await end()) <= (await edge()), patiently).toBe(true);
      // Without a name of its own, the next attempt has one that is not taken.
      const name = dialog.getByLabel('Name', { exact: true });
      expect(await name.getAttribute('placeholder')).toBe('file 2');
      await dialog.getByRole('button', { name: 'Add channel' }).click();
      await dialog.getByLabel('file 2', { exact: true }).waitFor();
      const { items } = await ask<List<Channel>>('/api/channels');
      const second = items.find((each) => each.name === 'file 2');
      expect(second).toBeDefined();
      // Why it is off is said once.
      const problem = 'the address 127.0.0.1 is not on the public internet; to allow it, set IT=on';
      await page.route('**/api/channels/*/test', (route) =>
        route.fulfill({ json: { state: 'failed', problem } }),
      );
      await page.route('**/api/channels?*', (route) =>
        perturb<List<Channel>>(route, (answer) => ({
          ...answer,
          items: answer.items.map((each) => ({ ...each, offReason: problem })),
        })),
      );
      await dialog.getByRole('button', { name: 'Send a test to file 2' }).click();
      await dialog.locator('[data-test]').getByText(problem).waitFor();
      await dialog.getByText('file 2 (off)').waitFor();
      expect(await dialog.getByText(problem).count()).toBe(1);
      for (const each of [id, second?.id]) await send('DELETE', `/api/channels/${each}`);
    });
  });
}
