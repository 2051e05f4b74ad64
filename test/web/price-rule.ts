import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Backtest, Rankings, Rule, Watch } from '../../web/core/api.ts';
import { type PageFixture, patiently, widths } from './page-fixture.ts';

/** Tests in a real browser that a price rule says what it compares, its unit, and how often it would have fired. */
export function describePriceRule({ open, ask, send }: PageFixture): void {
  describe('a price rule on the page', () => {
    it.each(widths)(
      'for a watch saved from deals compares $/GPU-hour and shows so, with the current value and its warnings, %s wide',
      async (width) => {
        // As a user would: the deals of a model, ranked by cost per DLPerf, saved as a watch.
        const { items } = await ask<Rankings>('/api/rankings?by=usdPerDlperfHour&limit=1');
        const gpuName = items[0]?.gpuName ?? '';
        const page = await open(
          `/deals?gpuName=${encodeURIComponent(gpuName)}&by=usdPerDlperfHour`,
          undefined,
          width,
        );
        if (width === 390) await page.getByText('GPUs, type, filters, usage profile, columns').click();
        const types = () =>
          page
            .locator('input[name=type]')
            .evaluateAll((all) => all.map((each) => each.getAttribute('value')));
        await page.locator('input[name=type]').first().waitFor({ state: 'attached' });
        const ofDeals = await types();
        // On a phone it is in sight without the fold, too.
        if (width === 390) await page.getByText('GPUs, type, filters, usage profile, columns').click();
        expect(ofDeals.length).toBeGreaterThan(0);
        await page.getByRole('link', { name: 'Save as watch' }).click();
        await page.locator('input[name=watch-name]').waitFor();
        expect(await types()).toEqual(ofDeals);
        const name = `Ruled ${width} ${randomUUID().slice(0, 4)}`;
        await page.locator('input[name=watch-name]').fill(name);
        await page.getByRole('button', { name: 'Create watch', exact: true }).click();
        await page.locator('#watches').getByRole('link', { name, exact: true }).click();
        const watches = (await ask<{ items: Watch[] }>('/api/watches')).items;
        const watch = watches.find((each) => each.name === name);
        expect(watch).toMatchObject({ rankBy: 'usdPerDlperfHour' });
        const watchId = watch?.id;
        const rule = (params: object) => ({ watchId, kind: 'priceBelow', params });
        const usd = page.locator('input[name=rule-usd]');
        // It starts a little below the lowest price now.
        const now = page.locator('.value-now');
        const share = async () => {
          await page.reload();
          await now.waitFor();
          return Number(await usd.inputValue()) / Number(await now.getAttribute('data-value'));
        };
        await expect.poll(share, patiently).toSatisfy((each: number) => each > 0.8 && each < 1);
        await usd.fill('1000');
        const label = page.locator('label', { has: usd });
        expect(await label.textContent()).toBe('Below, $/GPU-hour');
        // The watch may get a new book meanwhile: page and API are read until both show the same one.
        const onPage = async () => Number(await now.getAttribute('data-value'));
        const byApi = async () =>
          (await send<Backtest>('POST', '/api/rules/backtest', rule({ usd: 1000 }))).now?.value;
        await page.locator('[data-warning=fires-at-once]').waitFor();
        await expect.poll(async () => (await onPage()) === (await byApi()), patiently).toBe(true);
        // A price per DLPerf is hundreds of times lower.
        expect(await onPage()).toBeGreaterThan(10 * (items[0]?.value ?? Number.NaN));
        expect(await now.textContent()).toMatch(/\$[\d.]+\/GPU-hour/);
        await usd.fill('0.0001');
        await page.locator('[data-warning=never-fired]').waitFor();
        expect(await page.locator('[data-warning=fires-at-once]').count()).toBe(0);
        // Another metric: threshold and value are in its unit.
        await page.locator('select[name=rule-metric]').selectOption('usdPerHour');
        await expect.poll(() => label.textContent(), patiently).toBe('Below, $/hour');
        await expect.poll(() => now.getAttribute('data-unit'), patiently).toBe('USD/hour');
        await usd.fill('2');
        await page.getByRole('button', { name: 'Add alert' }).click();
        await page.locator('#rules tbody').getByText('price below $2.00/hour').waitFor();
        await page.locator('#rules h2').getByText('its own channels, else those of the watch').waitFor();
        await page.getByText('Other filters start its alerts again').waitFor();
        const rules = (await ask<{ items: Rule[] }>(`/api/rules?watchId=${watchId}`)).items;
        expect(rules).toMatchObject([{ params: { metric: 'usdPerHour', usd: 2 }, unit: 'USD/hour' }]);
        await send('DELETE', `/api/watches/${watchId}`);
      },
    );
  });
}
