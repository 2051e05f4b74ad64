import type { Page } from 'playwright-core';
import type { MarketRow, Rankings, SupplyPoint, Trends } from '../../web/core/api.ts';

/** A row of a table as the page shows it: its key and the raw number of each cell, null where it has none. */
export interface ShownRow {
  key: string;
  values: Record<string, number | null>;
}

/** Returns the `data-value` of cells, in order; undefined for cells without one. */
export const rawValues = (cells: (SVGElement | HTMLElement)[]): (string | undefined)[] =>
  cells.map((cell) => cell.dataset.value);

/** Returns the chart's values from the table below it, oldest first; opens the table if it is closed. */
export async function readTrendTable(page: Page): Promise<ShownRow[]> {
  const values = page.locator('details.values');
  const open = await values.evaluate((details) => details instanceof HTMLDetailsElement && details.open);
  if (!open) await values.locator('summary').click();
  await page.locator('#trend-values').waitFor();
  return (await readRows(page, '#trend-values tbody tr', 't')).toReversed();
}

/** Returns the ranking as the page shows it, best first; the key is the offer's id. */
export async function readRanking(page: Page): Promise<ShownRow[]> {
  await page.locator('#ranking').waitFor();
  return readRows(page, '#ranking tbody tr', 'offer');
}

function readRows(page: Page, selector: string, keyName: string): Promise<ShownRow[]> {
  return page.locator(selector).evaluateAll(
    (rows, name) =>
      rows.map((row) => {
        const cells = [...row.querySelectorAll<HTMLElement>('[data-field]')];
        const rawNumber = ({ dataset }: HTMLElement) =>
          dataset.value === undefined ? null : Number(dataset.value);
        return {
          key: (row as HTMLElement).dataset[name] ?? '',
          values: Object.fromEntries(cells.map((cell) => [cell.dataset.field ?? '', rawNumber(cell)])),
        };
      }),
    keyName,
  );
}

/** Returns the differences between the page and the API's answer, one line each; empty if they agree. */
export function trendDifferences(shown: readonly ShownRow[], answer: Trends): string[] {
  const points = answer.series[0]?.points ?? [];
  return differences(
    shown,
    points.map((point) => ({ key: point.t, values: { ...point } })),
  );
}

/** The same for the combined supply of several types. */
export function supplyDifferences(shown: readonly ShownRow[], points: readonly SupplyPoint[]): string[] {
  return differences(
    shown,
    points.map((point) => ({ key: point.t, values: { ...point } })),
  );
}

/** The same for the ranking, in which the order matters. */
export function rankingDifferences(shown: readonly ShownRow[], answer: Rankings): string[] {
  return differences(
    shown,
    answer.items.map((item) => ({ key: String(item.offerId), values: { ...item } })),
  );
}

/** The same for the rows of the market, in which the order matters. */
export async function marketDifferences(page: Page, rows: readonly MarketRow[]): Promise<string[]> {
  return differences(
    await readRows(page, '#models tbody tr', 'model'),
    rows.map((row) => ({
      key: row.gpuName,
      values: {
        ...row,
        ...Object.fromEntries(row.changes.map(({ days, percent }) => [`change${days}`, percent])),
      },
    })),
  );
}

function differences(
  shown: readonly ShownRow[],
  expected: readonly { key: string; values: Record<string, unknown> }[],
): string[] {
  const found: string[] = [];
  if (shown.length !== expected.length) found.push(`${shown.length} rows shown, ${expected.length} answered`);
  shown.forEach((row, index) => {
    const wanted = expected[index];
    if (wanted === undefined) return;
    if (row.key !== wanted.key) found.push(`row ${index}: ${row.key} shown, ${wanted.key} answered`);
    for (const [field, value] of Object.entries(row.values)) {
      if (value !== wanted.values[field]) {
        found.push(`${row.key} ${field}: ${value} shown, ${String(wanted.values[field])} answered`);
      }
    }
  });
  return found;
}
