import { buffer } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { finishCsv } from '../../src/exports/csv-bytes.ts';
import type { ExportColumn } from '../../src/exports/export-column.ts';
import { csvDialect } from '../../src/exports/formats.ts';
import { hostileStrings } from '../support/hostile-strings.ts';

const columns: ExportColumn[] = [
  { name: 'label', type: 'text' },
  { name: 'start', type: 'moment' },
  { name: 'amountUsd', type: 'usd' },
  { name: 'end', type: 'moment' },
  { name: 'note', type: 'text' },
  { name: 'instanceId', type: 'integer' },
];

/** A line as PostgreSQL writes it: what holds a delimiter, a quote or a line's end is quoted, and empty text. */
function databaseLine(cells: (string | null)[], delimiter: string): string {
  const quoted = (cell: string): string =>
    cell === '' || cell.includes(delimiter) || /["\r\n]/.test(cell)
      ? `"${cell.replaceAll('"', '""')}"`
      : cell;
  return `${cells.map((cell) => (cell === null ? '' : quoted(cell))).join(delimiter)}\n`;
}

const rows = hostileStrings.map((text, index) => [
  ...[text, '2026-03-28 22:00:00.5+00', index % 2 === 0 ? '-0.25' : '10.5', null],
  ...[hostileStrings.at(-1 - index) ?? null, index % 3 === 0 ? null : String(-index)],
]);

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const harmless = (text: string | null | undefined) =>
  /^[=+\-@\t\r＝＋－＠]/u.test(text ?? '') ? `'${text}` : text;

describe('the bytes of a CSV file', () => {
  it('are finished the same wherever a piece ends, within a character too', async () => {
    const lines = Buffer.from(rows.map((row) => databaseLine(row, ',')).join(''));
    const finish = (size: number) =>
      buffer(finishCsv(inPieces(lines, size), columns, csvDialect(null, 'UTC')));
    const whole = await finish(lines.length);
    const read = parse(whole, { record_delimiter: '\r\n' }) as string[][];
    expect(read).toEqual(
      rows.map(([label, , amount, , note, id]) => [
        ...[harmless(label), '2026-03-28T22:00:00.5Z', amount, '', harmless(note), id ?? ''],
      ]),
    );
    for (const size of [1, 2, 3, 5, 7, 64]) expect((await finish(size)).equals(whole), `${size}`).toBe(true);
  });

  it('have the decimal sign of a language in numbers alone, and its times as the database wrote them', async () => {
    const local = rows.map(([label = '', , ...rest]) => [label, '2026-03-28 23:00:00', ...rest]);
    const lines = Buffer.from(local.map((row) => databaseLine(row, ';')).join(''));
    const whole = await buffer(finishCsv(inPieces(lines, 11), columns, csvDialect('de', 'Europe/Berlin')));
    const read = parse(whole, { delimiter: ';', record_delimiter: '\r\n' }) as string[][];
    expect(read).toEqual(
      rows.map(([label, , amount, , note, id]) => [
        ...[harmless(label), '2026-03-28 23:00:00', amount?.replace('.', ','), '', harmless(note), id ?? ''],
      ]),
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
  ])('are those of %s: %s between cells, %s in numbers, a mark before them', (locale, delimiter, decimal) => {
    const dialect = { delimiter, decimal, moments: 'sheet', mark: true, timeZone: 'UTC' };
    expect(csvDialect(locale, 'UTC')).toEqual(dialect);
  });

  it('end as they are where the last character is not whole', async () => {
    const cut = Buffer.from('＝').subarray(0, 2);
    const whole = await buffer(finishCsv(inPieces(cut, 1), columns, csvDialect(null, 'UTC')));
    expect(whole.equals(cut)).toBe(true);
  });
});
