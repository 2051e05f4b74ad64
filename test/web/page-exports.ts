import { readFile } from 'node:fs/promises';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import type { Rankings } from '../../web/core/api.ts';
import { spendFiles } from '../../web/spend/spend-files.ts';
import { landSomeBills } from './account-views.ts';
import { type PageFixture, patiently } from './page-fixture.ts';

/** Tests of exports from the page in a real browser. */
export function describePageExports({ server, open, ask }: PageFixture): void {
  describe('exports', () => {
    it('exports what is on the screen', async () => {
      const page = await open(
        '/deals?by=usdPerGpuHour&numGpus=1&reliable=off&deverifiedLast=false&outliersLast=false',
      );
      await page.locator('#ranking').waitFor();
      await page.getByText('Export', { exact: true }).click();
      const link = page.getByRole('link', { name: 'CSV' });
      const href = (await link.getAttribute('href')) ?? '';
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
      // The menu has closed, and the keyboard goes on from its button.
      await link.waitFor({ state: 'hidden' });
      expect(await page.locator('details.menu > summary:focus').textContent()).toBe('Export');
      const name = download.suggestedFilename();
      await page.locator('.said').getByText(`Saved ${name} to your downloads.`).waitFor();
      const { items } = await ask<Rankings>('/api/rankings?by=usdPerGpuHour&numGpus=1&limit=1000');
      expect(href).toBe(
        '/api/exports/rankings.csv?numGpus=1&deverifiedLast=false&outliersLast=false&by=usdPerGpuHour',
      );
      const text = await readFile(await download.path(), 'utf8');
      expect(text.trimEnd().split('\r\n')).toHaveLength(items.length + 1);
      // For users whose spreadsheets only read decimal commas.
      const storageState = await page.context().storageState();
      const context = await page.context().browser()?.newContext({ locale: 'de', storageState });
      const reader = await context?.newPage();
      if (reader === undefined) throw new Error('there is no browser');
      await reader.goto(page.url());
      await reader.getByText('Export', { exact: true }).click();
      const german = reader.getByRole('link', { name: 'CSV with decimal commas' });
      expect(await german.getAttribute('href')).toBe(`${href}&locale=de`);
      const [local] = await Promise.all([reader.waitForEvent('download'), german.click()]);
      expect(await readFile(await local.path(), 'utf8')).toMatch(/^\uFEFFrank;.*\r\n1;/);
      await context?.close();
    });

    it('closes a menu when something else is pressed', async () => {
      const page = await open('/deals');
      await page.locator('#ranking').waitFor();
      await page.getByText('Export', { exact: true }).click();
      const link = page.getByRole('link', { name: 'CSV', exact: true });
      await link.waitFor({ state: 'visible' });
      await page.getByRole('heading', { name: 'Deals' }).click();
      await link.waitFor({ state: 'hidden' });
    });

    it('exports the bills on the screen with the same bytes as the API', async () => {
      await landSomeBills(server().sql);
      const page = await open('/spend?from=2026-01-01&to=2026-02-01&group=label');
      await page.locator('#spend-table').waitFor();
      const period = page.locator('[data-period]');
      await expect.poll(() => period.textContent(), patiently).toMatch(/^Files of 1\D+31 Jan 2026$/);
      // The menu is whole on the screen of a phone.
      await page.setViewportSize({ width: 390, height: 844 });
      await page
        .locator('summary')
        .filter({ hasText: /^Export$/ })
        .click();
      const list = page.locator('.menu[open] ul');
      const { y, height } = (await list.boundingBox()) ?? { y: 0, height: 844 };
      expect(y + height).toBeLessThan(844);
      expect(await list.evaluate((each) => each.scrollHeight - each.clientHeight)).toBe(0);
      await list.getByText('Each Excel workbook says on its sheet “Columns”').waitFor();
      expect(await list.locator('.formats').first().locator('a').allTextContents()).toEqual([
        ...['Excel', 'CSV', 'JSON', 'NDJSON', 'Parquet'],
      ]);
      await page
        .locator('summary')
        .filter({ hasText: /^Export$/ })
        .click();
      // It is whole on a desk's screen, too, and scrolls to its last line in a lower window.
      for (const [width, windowHeight] of [
        [1440, 900],
        [1280, 600],
        [700, 500],
      ] as const) {
        await page.setViewportSize({ width, height: windowHeight });
        await page
          .locator('summary')
          .filter({ hasText: /^Export$/ })
          .click();
        const box = (await list.boundingBox()) ?? { y: 0, height: windowHeight };
        expect(box.y + box.height, `${width}`).toBeLessThan(windowHeight - 8);
        const hidden = await list.evaluate((each) => each.scrollHeight - each.clientHeight);
        expect(hidden > 0, `${width}`).toBe(windowHeight < 900);
        await page
          .locator('summary')
          .filter({ hasText: /^Export$/ })
          .click();
      }
      await page.setViewportSize({ width: 1280, height: 900 });
      const headers = { authorization: `Bearer ${server().token}` };
      for (const [label, name] of [
        ['CSV, all entries', 'spend.csv'],
        ['CSV, totals', 'spend-summary.csv'],
        ['CSV, compared with the market', 'spend-vs-market.csv'],
        ['CSV, cost file', 'focus.csv'],
      ] as const) {
        await page
          .locator('summary')
          .filter({ hasText: /^Export$/ })
          .click();
        const link = page.getByRole('link', { name: label, exact: true });
        expect(await link.getAttribute('download')).toBe(name);
        const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
        await page.locator('.said').getByText(`Saved ${download.suggestedFilename()} to your`).waitFor();
        const file = await readFile(await download.path());
        const query = new URLSearchParams({
          from: '2026-01-01',
          to: '2026-02-01',
          timeZone: 'America/New_York',
        });
        if (name === 'spend-summary.csv') query.set('groupBy', 'label');
        const answer = await fetch(`${server().url}/api/exports/${name}?${query}`, { headers });
        expect(file.equals(Buffer.from(await answer.arrayBuffer())), name).toBe(true);
        expect(file.toString(), name).toContain('job 1');
      }
      // What the menu says of workbooks is true of each.
      for (const { name } of spendFiles) {
        const groupBy = name === 'spend-summary' ? '&groupBy=instance' : '';
        const query = `from=2026-01-01&to=2026-02-01${groupBy}`;
        const answer = await fetch(`${server().url}/api/exports/${name}.xlsx?${query}`, { headers });
        const { sheets } = await readXlsx(new Uint8Array(await answer.arrayBuffer()));
        const rows = sheets.find((sheet) => sheet.name === 'Columns')?.rows.slice(1) ?? [];
        const explained = new Set(rows.map(([sheet, head, , , meaning]) => meaning && `${sheet}/${head}`));
        const heads = sheets
          .filter((sheet) => !['Summary', 'Columns'].includes(sheet.name))
          .flatMap((sheet) => sheet.rows[0]?.map((head) => `${sheet.name}/${head}`) ?? []);
        expect(heads.length, name).toBeGreaterThan(0);
        expect(
          heads.filter((head) => !explained.has(head)),
          name,
        ).toEqual([]);
      }
    });
  });
}
