import { describe, expect, it } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { Sql } from '../../src/database/connection.ts';
import type {
  Backtest,
  Channel,
  Rankings,
  ReportAnswer,
  Rule,
  SheetLink,
  Spend,
  Watch,
} from '../../web/core/api.ts';
import { landBills, makeCharge, makeInvoice } from '../support/made-bills.ts';
import { type PageFixture, patiently, perturb, shownPath, widths } from './page-fixture.ts';
import { rawValues } from './shown-values.ts';

interface List<T> {
  items: T[];
}

/** Tests of the views of bills, watches and settings in a real browser. */
export function describeAccountViews({ server, open, ask, send }: PageFixture): void {
  describe('views of the account', () => {
    it.each(widths)(
      "saves a deal's filters as a watch, previews, changes and deletes it, %s wide",
      async (width) => {
        const page = await open('/deals?minReliability=0.5&verification=verified', undefined, width);
        if (width === 390) await page.getByText('GPUs, type, filters, usage profile, columns').click();
        await page.getByRole('link', { name: 'Save as watch' }).click();
        await page.locator('input[name=watch-name]').fill('Good ones');
        await page.locator('#watch-preview #ranking tbody tr').first().waitFor();
        const preview = await ask<Rankings>(await shownPath(page, 'watch-preview'));
        const shown = await page
          .locator('#ranking tbody tr')
          .evaluateAll((rows) => rows.map((row) => Number((row as HTMLElement).dataset.offer)));
        expect(shown).toEqual(preview.items.map(({ offerId }) => offerId));
        await page.getByText('Alert me when the lowest price per GPU falls below').waitFor();
        await page.locator('input[name=alert-usd]').fill('0.0001');
        await page.getByRole('button', { name: 'Create watch', exact: true }).click();
        await page.locator('#rules tbody').getByText('price below $0.0001/GPU-hour').waitFor();
        const rules = async () => (await ask<List<Rule>>('/api/rules')).items;
        const [first] = await rules();
        expect(first).toMatchObject({ kind: 'priceBelow', params: { metric: 'usdPerGpuHour', usd: 0.0001 } });
        const watches = async () => (await ask<List<Watch>>('/api/watches')).items;
        expect(await watches()).toMatchObject([
          { name: 'Good ones', filters: { minReliability: 0.5, verification: ['verified'] } },
        ]);
        await page.locator('#watches').getByRole('link', { name: 'Good ones', exact: true }).click();
        await page.locator('input[name=watch-name]').fill('Better ones');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.locator('#watches').getByRole('link', { name: 'Better ones', exact: true }).click();
        const [watch] = await watches();
        expect(watch?.name).toBe('Better ones');
        await page.getByRole('button', { name: 'Preview' }).click();
        const { report } = await send<ReportAnswer>('POST', `/api/watches/${watch?.id}/report`, {});
        expect(report.items.length).toBeGreaterThan(0);
        const reported = () => page.locator('#report-table [data-field=value]').evaluateAll(rawValues);
        await page.locator('#report-table').waitFor();
        expect(await reported()).toEqual(report.items.map(({ value }) => String(value)));
        await page.locator('#report-table [data-field=value] [data-explain]').first().click();
        const explained = page.locator('#explanation tr[data-key=value] [data-field=again]');
        expect(Number(await explained.getAttribute('data-value'))).toBeCloseTo(
          report.items[0]?.value ?? 0,
          9,
        );
        await page.keyboard.press('Escape');
        await page.route('**/api/watches/*/report', (route) =>
          perturb<ReportAnswer>(route, (answer) => ({
            ...answer,
            report: { ...answer.report, items: answer.report.items.map((item) => ({ ...item, value: 7 })) },
          })),
        );
        await page.getByRole('button', { name: 'Preview' }).click();
        await expect.poll(reported, patiently).toEqual(report.items.map(() => '7'));
        await page.locator('input[name=rule-usd]').fill('1000');
        await page.getByText('Trigger condition, quiet hours').click();
        await page.locator('input[name=dailyCap]').fill('5');
        await page.getByRole('button', { name: 'Backtest' }).click();
        const count = await page.locator('#backtest').getAttribute('data-count');
        const rule = { watchId: watch?.id, kind: 'priceBelow', params: { usd: 1000 } };
        expect(Number(count)).toBe((await send<Backtest>('POST', '/api/rules/backtest', rule)).count);
        await page.getByRole('button', { name: 'Add alert' }).click();
        const row = page.locator('#rules tbody tr', { hasText: 'price below $1,000.00/GPU-hour' });
        await row.waitFor();
        const second = async () => (await rules()).find(({ id }) => id !== first?.id);
        expect(await second()).toMatchObject({
          ...{ kind: 'priceBelow', params: { usd: 1000 }, dailyCap: 5, enabled: true },
        });
        await row.locator('input[type=checkbox]').click();
        await expect.poll(async () => (await second())?.enabled, patiently).toBe(false);
        await page.getByRole('button', { name: 'Delete watch' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
        await page.getByText('No watches yet').waitFor();
        expect(await watches()).toEqual([]);
      },
    );

    it.each(widths)(
      'adds a channel, sends a test message, removes it; adds a rule on the account, %s wide',
      async (width) => {
        const page = await open('/watches', undefined, width);
        await page.getByLabel('Alert when').selectOption('burnAbove');
        await page.locator('input[name=rule-usdPerHour]').fill('3');
        await page.getByRole('button', { name: 'Add alert' }).click();
        await page.locator('#rules tbody').getByText('instances cost more than $3.00/hour').waitFor();
        const rules = async () => (await ask<List<Rule>>('/api/rules')).items;
        expect(await rules()).toMatchObject([
          { kind: 'burnAbove', watchId: null, params: { usdPerHour: 3 } },
        ]);
        await page.locator('#rules').getByRole('button', { name: 'Delete…' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click();
        await expect.poll(rules, patiently).toEqual([]);
        await page.getByLabel('Kind').selectOption('file');
        await page.locator('input[name=config-path]').fill('samples');
        const format = page.getByLabel('Format');
        expect(await format.inputValue()).toBe('html');
        await format.selectOption('md');
        await page.getByRole('button', { name: 'Add channel' }).click();
        const channels = async () => (await ask<List<Channel>>('/api/channels')).items;
        await expect.poll(async () => (await channels()).length, patiently).toBe(1);
        const id = (await channels())[0]?.id ?? '';
        await page.locator('#channels tbody').getByText('reports/samples, md').waitFor();
        const notice = { kind: 'digest', title: 'Refused', lines: ['one'], link: null, data: { alerts: [] } };
        const whole = { ...notice, at: '2026-01-01T00:00:00Z', watchId: null, ruleId: null };
        await server().sql`insert into delivery (id, channel_id, notice, kind, title, state, created_at,
            next_attempt_at, ended_at)
          values (gen_random_uuid(), ${id}, ${JSON.stringify(whole)}, 'digest', 'Refused', 'refused', now(), now(), now())`;
        expect(await channels()).toMatchObject([{ undelivered: 1, lastDelivery: { state: 'refused' } }]);
        // Corrected, it keeps what it did not deliver.
        await page.getByRole('button', { name: /^Change… / }).click();
        const dialog = page.getByRole('dialog');
        expect(await dialog.locator('input[name=config-path]').inputValue()).toBe('samples');
        await dialog.locator('input[name=config-path]').fill('/samples');
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.locator('.field .failure').waitFor();
        await dialog.locator('input[name=changed-name]').fill('notes');
        await dialog.locator('input[name=config-path]').fill('kept');
        await dialog.getByRole('button', { name: 'Save' }).click();
        await page.locator('.said').getByText('notes changed. Send a test message to check it.').waitFor();
        expect(await channels()).toMatchObject([
          { id, name: 'notes', config: { path: 'kept', format: 'md' } },
        ]);
        await page.getByRole('button', { name: 'Send a test to notes' }).click();
        await page
          .locator('.said')
          .getByText('Test message of notes written to a file in the folder reports/kept')
          .waitFor();
        const undelivered = page.locator('[data-undelivered]');
        await undelivered.getByText('1 message to notes was not delivered.').waitFor();
        await undelivered.getByRole('button', { name: 'Send it again' }).click();
        await undelivered.waitFor({ state: 'detached' });
        await expect.poll(async () => (await channels())[0]?.lastDelivery?.state, patiently).toBe('sent');
        // An alert that is saved next says that the channel was tested here.
        const tests = await page.evaluate(() => localStorage.getItem('offerbook-channel-tests'));
        expect(tests).toContain(id);
        expect(await channels()).toMatchObject([{ kind: 'file' }]);
        await page.getByRole('button', { name: /^Delete… / }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click();
        await page.getByText('No channel yet').waitFor();
        expect(await channels()).toEqual([]);
      },
    );

    it.each(widths)(
      'shows the sums of spend as the API gives them, exact ones included, %s wide',
      async (width) => {
        await landSomeBills(server().sql);
        const page = await open('/spend?from=2026-01-01&group=label', undefined, width);
        const shown = () => page.locator('#spend-table [data-field=amountUsd]').evaluateAll(rawValues);
        const { items } = await ask<Spend>(await shownPath(page, 'spend-groups'));
        expect(items.length).toBeGreaterThan(1);
        expect(await shown()).toEqual(items.map(({ amountUsd }) => amountUsd));
        await page.locator('#spend details.values > summary').click();
        const overTime = await ask<Spend>(await shownPath(page, 'spend'));
        expect(await page.locator('#spend-values [data-field=amountUsd]').evaluateAll(rawValues)).toEqual(
          overTime.items
            .filter(({ category }) => category === 'consumption')
            .map(({ amountUsd }) => amountUsd),
        );
        const exact = {
          category: 'consumption',
          basis: 'charged',
          amountUsd: '1234567890123.455',
          entries: 1,
        } as const;
        await page.route('**/api/spend?*', (route) =>
          perturb<Spend>(route, (spend) => ({
            ...spend,
            totals: [exact],
            items: [{ ...exact, key: spend.groupBy === 'day' ? '2026-01-02' : 'a', subkey: 'a' }],
          })),
        );
        await page.reload();
        const total = page.locator('[data-total="consumption/charged"]');
        await expect.poll(() => total.textContent(), patiently).toBe('$1,234,567,890,123.46');
        await expect.poll(shown, patiently).toEqual(['1234567890123.455']);
      },
    );

    it.each(widths)('sets a budget, records a balance, reconciles, %s wide', async (width) => {
      const page = await open('/spend', undefined, width);
      await page.locator('input[name=monthly]').fill('250.5');
      await page.locator('input[name=alert-at]').fill('100, 60');
      await page.getByRole('button', { name: 'Save budget' }).click();
      await page.locator('#budgets tbody').getByText('$250.50').waitFor();
      type Made = { monthlyUsd: string; alertAt: number[] };
      const budgets = async () => (await ask<List<Made>>('/api/budgets')).items;
      expect((await budgets()).map((made) => [Number(made.monthlyUsd), made.alertAt])).toEqual([
        [250.5, [0.6, 1]],
      ]);
      await page.locator('#budgets tbody').getByText('60%').waitFor();
      await page.locator('#budgets').getByText('plus the burn rate now').waitFor();
      // The page's clock is New York's.
      await page
        .locator('#budgets')
        .getByText(/Months are those of UTC \(this one ends [^)]+, (19|20):00\)\./)
        .waitFor();
      await page.locator('#budgets').getByRole('button', { name: 'Remove' }).click();
      await expect.poll(budgets, patiently).toEqual([]);
      await page.locator('#reconciliation .caption').first().waitFor();
      await page.locator('input[name=balance]').fill(`${width}.25`);
      await page.getByRole('button', { name: 'Record' }).click();
      await page.locator('.said').getByText('Balance saved').waitFor();
      const { items } = await ask<List<{ amountUsd: string }>>('/api/balances');
      expect(Number(items[0]?.amountUsd)).toBe(width + 0.25);
    });

    it.each(widths)('creates a live sheet with formulas to paste, and revokes it, %s wide', async (width) => {
      const page = await open('/spend', undefined, width);
      await page.locator('input[name=sheet-note]').fill('the accountant');
      await page.getByRole('button', { name: 'Create link' }).click();
      const made = page.locator('[data-sheet]');
      await made.getByText('=IMPORTDATA(').waitFor();
      await made.getByText('cannot reach it').waitFor();
      const url = (await made.locator('code').first().textContent()) ?? '';
      // The system picks the port here, so the settings do not contain it.
      const read = async () => await fetch(server().url + new URL(url).pathname);
      expect(await (await read()).text()).toContain('entryId');
      const links = async () => (await ask<List<SheetLink>>('/api/sheets')).items;
      const working = async () => (await links()).filter(({ revokedAt }) => revokedAt === null);
      expect(await working()).toMatchObject([{ export: 'spend', note: 'the accountant' }]);
      await page.locator('#sheets').getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('No active links.').waitFor();
      expect(await working()).toEqual([]);
      expect((await read()).status).toBe(404);
    });

    it.each(widths)('creates a token with limits, shows it once, and revokes it, %s wide', async (width) => {
      const page = await open('/settings', undefined, width);
      await page.locator('input[name=token-name]').fill('a program');
      await page.locator('#tokens summary').click();
      await page.getByLabel('Only this label').fill('team-a');
      await page.getByLabel('At most, $ per hour').fill('2.5');
      await page.getByRole('button', { name: 'Create token' }).click();
      const token = (await page.locator('#tokens .banner code').textContent()) ?? '';
      const status = async () =>
        (await fetch(`${server().url}/api/status`, { headers: { authorization: `Bearer ${token}` } })).status;
      expect(await status()).toBe(200);
      await page.reload();
      const row = page.locator('#tokens tr', { hasText: 'a program' });
      await row.getByText('$2.50/hour, label team-a').first().waitFor();
      await row.getByText('from 127.0.0.1').first().waitFor();
      await page.locator('#audit [data-value=create-token]').first().waitFor();
      await page.getByRole('button', { name: 'Revoke a program' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await expect.poll(status, patiently).toBe(401);
    });
  });
}

/** Lands two charges of two labels with as many decimals as a market states, and a payment; always the same ones. */
export async function landSomeBills(sql: Sql): Promise<void> {
  const { id } = await ensureMarket(sql, 'simulator', 'simulated');
  const charges = [1, 2].map((day) =>
    makeCharge(day, {
      ...{ start: `2026-01-0${day}T05:00:00Z`, end: `2026-01-0${day}T17:00:00Z`, label: `job ${day}` },
      amountUsd: `${day}.123456789`,
    }),
  );
  await landBills(sql, id, 'charge', '2026-01-03T00:00:00Z', charges);
  const paid = makeInvoice(1, { start: '2026-01-01T00:00:00Z', amountUsd: '-50' });
  await landBills(sql, id, 'invoice', '2026-01-03T00:00:00Z', [paid]);
}
