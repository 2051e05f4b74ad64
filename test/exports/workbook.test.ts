import { buffer } from 'node:stream/consumers';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import type { ExportCell } from '../../src/exports/export-cell.ts';
import type { ExportColumn } from '../../src/exports/export-column.ts';
import { type ExportTable, oneGroup } from '../../src/exports/table.ts';
import { writeXlsx } from '../../src/exports/xlsx/workbook.ts';

const columns: ExportColumn[] = [
  { name: 'kind', type: 'text' },
  { name: 'start', type: 'moment' },
  { name: 'amountUsd', type: 'usd' },
  { name: 'disappearedAt', type: 'moment' },
  { name: 'label', type: 'text' },
];

/** The sheets of a workbook of these rows, `sheetRows` a sheet at most, its head included. */
async function sheetsOf(rows: ExportCell[][], sheetRows?: number, more: Partial<ExportTable> = {}) {
  const table = { title: 'Entries', columns, monthly: true as const, ...more };
  const how = { timeZone: 'Europe/Berlin', ...(sheetRows === undefined ? {} : { sheetRows }) };
  const file = await buffer(writeXlsx(table, oneGroup(rows), how));
  return (await readXlsx(new Uint8Array(file))).sheets;
}

const row = (start: string, amountUsd: string, label: string, kind = 'consumption'): ExportCell[] => [
  ...[kind, start, amountUsd, null, label],
];

describe('a workbook', () => {
  it('cuts texts that fit no cell, never within a character, and counts them', async () => {
    const most = 32_767;
    const texts = ['a'.repeat(most), 'b'.repeat(most + 1), `${'c'.repeat(most - 2)}👩 and more`];
    const [summary, , entries] = await sheetsOf(texts.map((text) => row('2026-03-01T12:00:00Z', '1', text)));
    const [, ...rows] = entries?.rows ?? [];
    expect(rows.map((cells) => cells[4])).toEqual([
      ...[texts[0], `${'b'.repeat(most - 1)}…`, `${'c'.repeat(most - 2)}…`],
    ]);
    const counted = summary?.rows.find(([first]) => String(first).startsWith('Texts cut'));
    expect(counted?.[1]).toBe(2);
  });

  it('continues on another sheet when one is full, and sums over all of them', async () => {
    const rows = [
      row('2026-02-28T22:59:59Z', '0.1', 'one'),
      // March in Berlin.
      row('2026-02-28T23:00:00Z', '0.2', 'two'),
      row('2026-03-05T00:00:00Z', '-7', 'three', 'payment'),
      row('2026-03-06T00:00:00Z', '0.333333333333333333', 'four'),
      row('2026-03-31T21:59:59Z', '100', 'five'),
    ];
    const side: ExportCell[][] = [['a'], ['b'], ['c']];
    const sheets = await sheetsOf(rows, 3, {
      beside: async () => [{ title: 'Beside', columns: [{ name: 'letter', type: 'text' }], rows: side }],
    });
    expect(sheets.map(({ name, rows: each }) => [name, each.length])).toEqual([
      ...[
        expect.arrayContaining(['Summary']),
        ['Columns', 1 + 5 + 1],
        ['Entries', 3],
        ['Entries 2', 3],
        ['Entries 3', 2],
        ['Beside', 3],
        ['Beside 2', 2],
      ],
    ]);
    const [summary, , ...data] = sheets;
    const labels = data.flatMap(({ rows: [, ...each] }) => each.map((cells) => cells.at(-1)));
    expect(labels).toEqual(['one', 'two', 'three', 'four', 'five', 'a', 'b', 'c']);
    expect(summary?.rows.find(([first]) => first === 'Rows')?.[1]).toBe(5);
    const months = (summary?.rows ?? []).filter(([first]) => first instanceof Date);
    expect(
      months.map(([month, , used, , , , paid]) => [(month as Date).toISOString().slice(0, 7), used, paid]),
    ).toEqual([
      ['2026-02', 0.1, 0],
      ['2026-03', Number('100.533333333333333333'), -7],
    ]);
    const formulas = [...(summary?.cells?.values() ?? [])].flatMap(({ formula }) => formula ?? []);
    expect(formulas[0]?.match(/'Entries(?: \d)?'!\$C\$2:\$C\$\d/g)).toEqual([
      "'Entries'!$C$2:$C$3",
      "'Entries 2'!$C$2:$C$3",
      "'Entries 3'!$C$2:$C$2",
    ]);
  });

  it('has heads for people, rounds what is shown and not what is stored, and says what it was made of', async () => {
    const price = '0.22355555555555554';
    const table = {
      title: 'Offers',
      columns: [
        { name: 'usdPerGpuHour', type: 'number' },
        { name: 'reliability', type: 'number', note: 'How much of the time it is up' },
        { name: 'machineId', type: 'integer' },
        { name: 'gpuIds', type: 'text', sheetText: (cell: string) => cell.slice(1, -1) },
      ] satisfies ExportColumn[],
      facts: [['Market', 'vast']] as const,
    };
    const rows = oneGroup([[price, '0.7128775', '187083', '[7,8]']]);
    const file = new Uint8Array(await buffer(writeXlsx(table, rows, { timeZone: 'UTC' })));
    const [summary, names, offers] = (await readXlsx(file, { readStyles: true })).sheets;
    expect(offers?.rows).toEqual([
      ['USD per GPU hour', 'Reliability', 'Machine ID', 'GPU IDs'],
      [Number(price), 0.7128775, 187083, '7,8'],
    ]);
    const formats = [0, 1, 2].map((column) => offers?.cells?.get(`1,${column}`)?.style?.numFmt);
    expect(formats).toEqual(['[$$-409]#,##0.00##', '0.00%', undefined]);
    const said = summary?.rows.map((cells) => cells.slice(0, 2));
    expect(said).toContainEqual(['Market', 'vast']);
    expect(names?.rows).toEqual([
      ['Sheet', 'Column', 'Its name in CSV and JSON', 'Unit', 'Meaning'],
      ['Offers', 'USD per GPU hour', 'usdPerGpuHour', 'US dollars per GPU hour', null],
      [
        ...['Offers', 'Reliability', 'reliability', 'share from 0 to 1, shown in percent'],
        'How much of the time it is up',
      ],
      ['Offers', 'Machine ID', 'machineId', null, null],
      ['Offers', 'GPU IDs', 'gpuIds', null, null],
    ]);
  });

  it('that is abandoned, or whose rows fail, releases its rows', async () => {
    const ends: string[] = [];
    const endless = (failsAfter: number) =>
      (async function* () {
        try {
          for (let group = 0; group < failsAfter; group += 1)
            yield Array.from({ length: 500 }, (_, index) =>
              row('2026-03-01T12:00:00Z', '1', String(Math.sin(index + group))),
            );
          throw new Error('the rows broke off');
        } finally {
          ends.push('ended');
        }
      })();
    const table = { title: 'Entries', columns };
    const left = writeXlsx(table, endless(Number.POSITIVE_INFINITY), { timeZone: 'UTC' });
    expect((await left.next()).done).toBe(false);
    await left.return(undefined);
    expect(ends).toEqual(['ended']);
    await expect(buffer(writeXlsx(table, endless(3), { timeZone: 'UTC' }))).rejects.toThrow(
      'the rows broke off',
    );
    expect(ends).toEqual(['ended', 'ended']);
  });
});
