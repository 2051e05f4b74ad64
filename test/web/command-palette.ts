import { describe, expect, it } from 'vitest';
import type { Actions, Instances, Rankings, Status } from '../../web/core/api.ts';
import { instanceAt } from './made-instance.ts';
import { type PageFixture, patiently, perturb, settled } from './page-fixture.ts';

/** Tests of the command palette in a real browser. */
export function describeCommandPalette({ open, ask, send }: PageFixture): void {
  describe('the command palette', () => {
    it('opens with its keys anywhere, goes to a model with the keyboard only, and gives the focus back', async () => {
      const page = await open('/settings');
      await settled(page);
      await page.locator('input[name=token-name]').focus();
      await page.keyboard.press('Control+k');
      const input = page.getByRole('combobox', { name: /^Search models/ });
      await input.waitFor();
      const selected = page.locator('.commands [aria-selected=true]');
      await input.fill('4090');
      expect(await selected.locator('span').textContent()).toBe('RTX 4090');
      expect(await input.getAttribute('aria-activedescendant')).toBe(await selected.getAttribute('id'));
      const first = await selected.getAttribute('data-command');
      await page.keyboard.press('ArrowDown');
      expect(await selected.getAttribute('data-command')).not.toBe(first);
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowDown');
      expect(await selected.getAttribute('data-command')).toBe(first);
      await page.keyboard.press('Escape');
      await input.waitFor({ state: 'detached' });
      expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('token-name');
      await page.getByRole('button', { name: /^Search (Ctrl|⌘) K$/ }).click();
      await page.keyboard.type('zzz');
      await page.getByText('Nothing matches').waitFor();
      // A machine by its number: its listings.
      const { items } = await ask<Rankings>('/api/rankings?limit=1');
      const [{ machineId, listingId } = { machineId: 0, listingId: '' }] = items;
      await page.keyboard.press('Control+a');
      await page.keyboard.type(`machine ${machineId}`);
      await page
        .locator(`[data-command="listing ${listingId}"]`)
        .getByText(`Machine ${machineId}: `)
        .waitFor();
      expect(await page.locator('[data-command^="listing "]').first().textContent()).toMatch(
        /on-demand.*, offer \d+/,
      );
      await page.keyboard.press('Control+a');
      await page.keyboard.type('rtx 4090');
      await page.keyboard.press('Enter');
      await page.locator('.quotes tbody tr').first().waitFor();
      expect(new URL(page.url()).searchParams.getAll('gpuName')).toEqual(['RTX 4090']);
      expect(await page.getByRole('dialog').count()).toBe(0);
    });

    it('has pinned models first, watches, instances and the actions of an operator, and does them', async () => {
      const watch = await send<{ id: string }>('POST', '/api/watches', { name: 'Found by name' });
      const items = [{ ...instanceAt('0.5'), label: 'night run' }];
      const page = await open('/market', async (page) => {
        await page.addInitScript(() => {
          localStorage.setItem('offerbook-pinned-models', '{"simulator":["RTX 3090"]}');
        });
        await page.route('**/api/instances', (route) =>
          perturb<Instances>(route, (answer) => ({ ...answer, items })),
        );
      });
      await settled(page);
      const command = (id: string) => page.locator(`[data-command="${id}"]`);
      await page.keyboard.press('Control+k');
      await command(`watch ${watch.id}`).waitFor();
      await command('instance 77').waitFor();
      const shown = await page.getByRole('option').allTextContents();
      expect(shown[0]).toBe('RTX 3090Pinned model');
      expect(shown.filter((text) => text.endsWith('Model'))).toEqual([]);
      await page.keyboard.type('found by');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Found by name' }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/watches/${watch.id}`);

      const enabled = async () => (await ask<Actions>('/api/actions')).enabled;
      // As the button of the page does, it asks first.
      await page.keyboard.press('Control+k');
      await page.getByRole('option', { name: 'Disable new rentals…' }).click();
      const question = page.getByRole('dialog', { name: 'Disable new rentals?' });
      await question.getByText('stopping and destroying stay allowed').waitFor();
      expect(await enabled()).toBe(true);
      await question.getByRole('button', { name: 'Disable new rentals' }).click();
      await expect.poll(enabled, patiently).toBe(false);
      await question.waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await page.getByRole('option', { name: 'Enable new rentals' }).click();
      await expect.poll(enabled, patiently).toBe(true);
      expect(await question.count()).toBe(0);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('alert me 3090');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByText('RTX 3090').first().waitFor();
      // The same box as in Market.
      expect(await page.getByRole('dialog').getByLabel('Reliable').isChecked()).toBe(true);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('dark');
      await page.keyboard.press('Enter');
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
      await send('DELETE', `/api/watches/${watch.id}`);
    });

    it('shows a viewer nothing that they may not do', async () => {
      const page = await open('/market', (page) =>
        page.route('**/api/status', (route) =>
          perturb<Status>(route, (status) => ({ ...status, role: 'viewer' })),
        ),
      );
      await settled(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('option', { name: 'Log out' }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.getByRole('option', { name: /Crawl now|rentals|New watch/ }).count()).toBe(0);
      await page.keyboard.type('rtx 4090');
      await page
        .getByRole('option', { name: /^RTX 4090/ })
        .first()
        .waitFor();
      expect(await page.getByRole('option', { name: /^Alert me/ }).count()).toBe(0);
    });
  });
}
