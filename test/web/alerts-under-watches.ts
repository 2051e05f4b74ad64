import { describe, it } from 'vitest';
import type { Channel } from '../../web/core/api.ts';
import { type PageFixture, widths } from './page-fixture.ts';

/** Tests in a real browser that an alert on a price can be added under Watches, and is named there. */
export function describeAlertsUnderWatches({ open, ask, send }: PageFixture): void {
  describe('under Watches', () => {
    it.each(widths)(
      'an alert on a price of a chosen model is added, names its watch at once and is deleted, %s wide',
      async (width) => {
        // Without a channel the box stays open.
        for (const { id } of (await ask<{ items: Channel[] }>('/api/channels')).items)
          await send('DELETE', `/api/channels/${id}`);
        const page = await open('/watches', undefined, width);
        // A price has the box of every other view.
        await page.locator('select[name=alert-model]').selectOption('RTX 4090');
        await page.locator('#rules').getByRole('button', { name: 'Alert me: RTX 4090' }).click();
        const box = page.getByRole('dialog', { name: /RTX 4090/ });
        await box.locator('[data-reliable=true]').waitFor();
        // The price that it suggests would come between what is selected and what is typed.
        await box.getByText(/^Lowest of/).waitFor();
        await box.locator('input[name=alert-usd]').fill('0.0001');
        await box.getByRole('button', { name: 'Save alert' }).click();
        await box.locator('[data-saved=unheard]').waitFor();
        await page.keyboard.press('Escape');
        // Its watch is named at once, also in the title of its history.
        const added = page.locator('#rules tbody tr', { hasText: 'price below $0.0001/GPU-hour' });
        await added.getByRole('link', { name: /RTX 4090/ }).waitFor();
        await page.locator('#watches tbody tr', { hasText: 'RTX 4090' }).waitFor();
        await added.getByRole('button', { name: 'History' }).click();
        await page.getByRole('dialog', { name: /^History: RTX 4090.*: / }).waitFor();
        await page.keyboard.press('Escape');
        await added.getByRole('button', { name: 'Delete…' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click();
        await added.waitFor({ state: 'detached' });
      },
    );
  });
}
