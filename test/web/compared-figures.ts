import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { defaultScope, narrowScope } from '../../src/core/crawl-scope.ts';
import type { Sql } from '../../src/database/connection.ts';
import type { Report } from '../../web/core/api.ts';
import { type PageFixture, patiently } from './page-fixture.ts';
import { newestRecords, type PlainBook, plainMedian, seededBooks } from './plain-books.ts';
import { readRanking, readTrendTable } from './shown-values.ts';

const own = 'simulator';
const both = `market=${own}&market=other`;
const gpu = 'RTX 4090';
const named = `gpuName=${encodeURIComponent(gpu)}`;

/** The offers of the model that each market lists now. */
const newestBooks = async (
  sql: Sql,
  landed: readonly PlainBook[],
  scopes?: readonly string[],
): Promise<{ market: string; records: PlainBook['records'] }[]> => [
  { market: own, records: await newestRecords(sql, gpu, scopes) },
  { market: 'other', records: landed.at(-1)?.records ?? [] },
];

/** Compares the figures of two markets with those counted from their raw records; `landed` is stored in the market `other`. */
export function describeComparedFigures(
  { open, ask, send, server }: PageFixture,
  landed: readonly PlainBook[],
): void {
  it('show in trends, deals and the market what a plain count of the raw records gives', async () => {
    const books: Record<string, PlainBook[]> = {
      [own]: await seededBooks(server().sql, gpu),
      other: [...landed],
    };
    const page = await open(`/trends?${named}&${both}&range=7d&bucket=book`);
    await page.locator('#trend details.values summary').click();
    for (const market of [own, 'other']) {
      await page.getByLabel('Series').selectOption(`${gpu} · ${market}`);
      const wanted = books[market] ?? [];
      expect(wanted.length).toBeGreaterThan(2);
      // Other tests may have crawled the market since it was seeded.
      const seeded = async () =>
        (await readTrendTable(page)).filter(({ key }) => wanted.some(({ at }) => at === key));
      await expect
        .poll(async () => (await seeded()).map(({ key }) => key), patiently)
        .toEqual(wanted.map(({ at }) => at));
      for (const [place, { values }] of (await seeded()).entries()) {
        const { records = [] } = wanted[place] ?? {};
        expect([values.median, values.offers]).toEqual([
          expect.closeTo(plainMedian(records), 9),
          records.length,
        ]);
      }
    }
    const newest = await newestBooks(server().sql, landed);
    await page.goto(`${server().url}/market?${both}`);
    for (const { market, records } of newest) {
      const row = page.locator(`#models tr[data-market="${market}"][data-model="${gpu}"]`);
      const median = await row.locator('[data-field=median]').getAttribute('data-value');
      expect(Number(median)).toBeCloseTo(plainMedian(records), 9);
    }
    await page.goto(
      `${server().url}/deals?by=usdPerGpuHour&reliable=off&deverifiedLast=false&outliersLast=false&${named}&${both}`,
    );
    await page.locator('#ranking [data-market=other]').first().waitFor();
    const all = newest.flatMap(({ market, records }) => records.map((record) => ({ market, ...record })));
    const plain = all.toSorted((a, b) => a.usdPerGpuHour - b.usdPerGpuHour).slice(0, 50);
    const shown = await readRanking(page);
    const markets = await page.locator('#ranking tbody [data-market]').allTextContents();
    expect(shown.map(({ values }) => values.value)).toEqual(
      plain.map(({ usdPerGpuHour }) => expect.closeTo(usdPerGpuHour, 9)),
    );
    // The order of equal prices is not defined, so each row is looked up.
    for (const [place, { key, values }] of shown.entries()) {
      const record = all.find(({ market, id }) => market === markets[place] && String(id) === key);
      expect(values.value).toBeCloseTo(record?.usdPerGpuHour ?? 0, 9);
    }
  });

  it('are watched together: chosen in the form, each row of report, backtest and list naming its own', async () => {
    const page = await open(
      `/deals?by=usdPerGpuHour&reliable=off&deverifiedLast=false&outliersLast=false&${named}&${both}`,
    );
    await page.getByRole('link', { name: 'Save as watch' }).click();
    await page.getByRole('checkbox', { name: 'other', checked: true }).waitFor();
    await page.locator('input[name=watch-name]').fill('in both');
    await page.getByRole('button', { name: 'Create watch' }).click();
    const listed = page.locator('#watches tbody tr').filter({ hasText: 'in both' });
    await listed.getByText(`${own}, other`).waitFor();
    await listed.getByRole('link', { name: 'in both', exact: true }).click();
    await page.getByRole('heading', { name: 'in both' }).waitFor();
    const { items } = await ask<{ items: { id: string; name: string }[] }>('/api/watches?market=other');
    const watch = items.find(({ name }) => name === 'in both');
    const rows = page.locator('#report-table tbody tr');
    const newest = () => newestBooks(server().sql, landed, [defaultScope.name, narrowScope([gpu]).name]);
    const readBoth = async () => {
      await page.getByRole('button', { name: 'Preview' }).click();
      await rows.first().waitFor();
      const { report } = await send<{ report: Report }>('POST', `/api/watches/${watch?.id}/report`);
      const shown = await rows.evaluateAll((found) =>
        found.map((row) =>
          ['market', 'value'].map(
            (field) => row.querySelector<HTMLElement>(`[data-field=${field}]`)?.dataset.value,
          ),
        ),
      );
      return { report, shown };
    };
    let books = await newest();
    let { report, shown } = await readBoth();
    // The watch is crawled for its own books, the first at once: what it lists is read anew until none lands meanwhile.
    for (let now = await newest(); !isDeepStrictEqual(now, books); now = await newest()) {
      books = now;
      await page.reload();
      ({ report, shown } = await readBoth());
    }
    expect(shown).toEqual(report.items.map(({ market, value }) => [market, String(value)]));
    const plain = books.flatMap(({ market, records }) =>
      records.map(({ usdPerGpuHour }) => [market, usdPerGpuHour] as const),
    );
    const best = plain.toSorted(([, a], [, b]) => a - b).slice(0, report.items.length);
    expect(report.items.map(({ market, value }) => [market, value])).toEqual(
      best.map(([market, value]) => [market, expect.closeTo(value, 9)]),
    );
    expect(await rows.filter({ hasText: 'No account' }).count()).toBe(
      report.items.filter(({ market }) => market === 'other').length,
    );
    expect(await page.locator('#watch-report [data-market]').count()).toBe(2);
    await send('DELETE', `/api/watches/${watch?.id}`);
  });

  it('each have their own waiting times and hours of the week', async () => {
    const page = await open(`/trends?${named}&${both}`);
    const weeks = page.locator('details.pattern');
    await expect
      .poll(() => weeks.locator('summary').allTextContents(), patiently)
      .toEqual([own, 'other'].map((market) => `Cheapest hours of the week · ${market}`));
    await weeks.nth(1).locator('summary').click();
    await weeks.nth(1).locator('.week').waitFor();
    const cells = weeks.nth(1).locator('.week td[data-value]');
    const medians = landed.map(({ records }) => plainMedian(records));
    const values = await cells.evaluateAll((found) =>
      found.map((cell) => Number((cell as HTMLElement).dataset.value)),
    );
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) expect(medians.some((median) => Math.abs(median - value) < 1e-9)).toBe(true);
  });
}
