import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { type CsvDialect, csvDialect, writeCsv } from '../../src/exports/csv.ts';
import { cellOf, type ExportCell } from '../../src/exports/export-cell.ts';
import { columnsOf } from '../../src/exports/export-column.ts';
import { oneGroup } from '../../src/exports/table.ts';
import { hostileStrings } from '../support/hostile-strings.ts';

const columns = columnsOf({
  ...{ label: 'text', start: 'moment', amountUsd: 'usd', end: 'moment', note: 'text', instanceId: 'integer' },
  listed: 'boolean',
});
const rows: ExportCell[][] = hostileStrings.map((text, index) => [
  ...[text, '2026-03-28 22:00:00.5+00', index % 2 === 0 ? '-0.25' : '10.5', null],
  ...[hostileStrings.at(-1 - index) ?? null, index % 3 === 0 ? null : String(-index), 'f'],
]);

const fileOf = async (cells: ExportCell[][], dialect: CsvDialect): Promise<string> =>
  (await buffer(writeCsv(columns, oneGroup(cells), dialect))).toString();
const harmless = (text: string | null | undefined) =>
  /^[=+\-@\t\r＝＋－＠]/u.test(text ?? '') ? `'${text}` : text;

describe('a CSV file', () => {
  it('has exact values for programs, and no formulas', async () => {
    const [, ...read] = parse(await fileOf(rows, csvDialect(null, 'UTC')), {
      record_delimiter: '\r\n',
    }) as string[][];
    expect(read).toEqual(
      rows.map(([label, , amount, , note, id]) => [
        ...[harmless(label), '2026-03-28T22:00:00.5Z', amount, '', harmless(note), id ?? '', 'false'],
      ]),
    );
  });

  it("has a language's decimal sign only in numbers, and local times", async () => {
    const [, ...read] = parse(await fileOf(rows, csvDialect('de', 'Europe/Berlin')), {
      ...{ delimiter: ';', record_delimiter: '\r\n', bom: true },
    }) as string[][];
    expect(read).toEqual(
      rows.map(([label, , amount, , note, id]) => [
        ...[harmless(label), '2026-03-28 23:00:00', amount?.replace('.', ','), ''],
        ...[harmless(note), id ?? '', 'false'],
      ]),
    );
  });

  it.each([
    ['2026-03-28 22:00:00+00', 'UTC', '2026-03-28T22:00:00Z'],
    ['2026-03-28 22:00:10.123456+00', 'UTC', '2026-03-28T22:00:10.123456Z'],
    ['2026-03-28 22:00:10.123456+00', 'America/New_York', '2026-03-28T18:00:10.123456-04:00'],
    ['2026-03-28 22:00:00+00', 'Asia/Kolkata', '2026-03-29T03:30:00+05:30'],
    [cellOf(new Date('2026-03-28T22:00:00Z')), 'UTC', '2026-03-28T22:00:00Z'],
    [cellOf(new Date('2026-03-28T22:00:00.120Z')), 'UTC', '2026-03-28T22:00:00.12Z'],
    [cellOf(new Date('2026-03-28T22:00:00.120Z')), 'Asia/Kolkata', '2026-03-29T03:30:00.12+05:30'],
  ])('writes the moment %s in %s as %s', async (cell, timeZone, text) => {
    const [, line] = (await fileOf([['a', cell, '1']], csvDialect(null, timeZone))).split('\r\n');
    expect(line).toBe(`a,${text},1,,,,`);
  });

  it('distinguishes empty text from unknown', async () => {
    expect((await fileOf([['', null, null, null, null]], csvDialect(null, 'UTC'))).split('\r\n')[1]).toBe(
      '"",,,,,,',
    );
  });

  it.each([
    ['de', ';', ','],
    ['fr', ';', ','],
    ['es', ';', ','],
    ['it', ';', ','],
    ['pl', ';', ','],
    ['pt-BR', ';', ','],
    ['ru', ';', ','],
    ['en', ',', '.'],
    ['en-GB', ',', '.'],
    ['ja', ',', '.'],
    ['de-CH', ',', '.'],
  ])('for %s has %s between cells, %s in numbers, and a mark before them', (locale, delimiter, decimal) => {
    const dialect = { delimiter, decimal, moments: 'sheet', mark: true, timeZone: 'UTC' };
    expect(csvDialect(locale, 'UTC')).toEqual(dialect);
  });
});
