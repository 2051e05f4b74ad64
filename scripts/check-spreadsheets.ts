// node scripts/check-spreadsheets.ts: opens exports in a real LibreOffice, headless, and compares types, values and formulas.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type CsvDialect, csvDialect, writeCsv } from '../src/exports/csv.ts';
import type { ExportCell } from '../src/exports/export-cell.ts';
import type { ExportColumn } from '../src/exports/export-column.ts';
import { oneGroup } from '../src/exports/table.ts';
import { writeXlsx } from '../src/exports/xlsx/workbook.ts';
import { hostileStrings } from '../test/support/hostile-strings.ts';

const run = promisify(execFile);
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const columns: ExportColumn[] = [
  { name: 'kind', type: 'text' },
  { name: 'start', type: 'moment' },
  { name: 'amountUsd', type: 'usd' },
  { name: 'disappearedAt', type: 'moment' },
  { name: 'label', type: 'text' },
];
// Values that XML or a line of CSV cannot reproduce exactly are checked by the formats' own tests.
const labels = hostileStrings.filter((text) => /^[\x20-\x7E]+$/.test(text) && text === text.trim());
const rows: ExportCell[][] = labels.map((label, index) => [
  'consumption',
  `2026-0${1 + (index % 2)}-03T04:05:06Z`,
  index % 2 === 0 ? '1234.5' : '-0.25',
  null,
  label,
]);
const table = { title: 'Entries', columns, keepsNames: true as const, monthly: true as const };

const failures: string[] = [];
const folder = await mkdtemp(join(tmpdir(), 'offerbook-sheets-'));
try {
  await save('plain.xlsx', writeXlsx(table, oneGroup(rows), { timeZone: 'UTC' }));
  const workbook = await openIn('plain.xlsx', []);
  checkTable('XLSX', sheetOf(workbook, 'Entries'));
  checkSummary(sheetOf(workbook, 'Summary'));
  // Separator, quote, UTF-8, first line, column formats, language: 1033 is English, 1031 German.
  await saveCsv('plain.csv', csvDialect('en', 'UTC'));
  checkTable(
    'CSV',
    sheetOf(await openIn('plain.csv', ['--infilter=CSV:44,34,76,1,,1033,false,true']), 'plain'),
  );
  await saveCsv('german.csv', csvDialect('de', 'UTC'));
  checkTable(
    'CSV, German',
    sheetOf(await openIn('german.csv', ['--infilter=CSV:59,34,76,1,,1031,false,true']), 'german'),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
for (const failure of failures) process.stdout.write(`FAILED: ${failure}\n`);
process.stdout.write(`${rows.length} rows in each of 3 files, ${failures.length} failures\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

async function save(name: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const held: Buffer[] = [];
  for await (const piece of pieces) held.push(piece);
  await writeFile(join(folder, name), Buffer.concat(held));
}

async function saveCsv(name: string, dialect: CsvDialect): Promise<void> {
  await save(name, writeCsv(columns, oneGroup(rows), dialect));
}

/** Returns the file as LibreOffice reads it: its flat XML, with a type for each cell. */
async function openIn(name: string, options: string[]): Promise<string> {
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const args = [profile, '--headless', '--norestore', ...options, '--convert-to', 'fods', '--outdir', folder];
  await run('soffice', [...args, join(folder, name)], { timeout: 300_000, cwd: folder });
  return await readFile(join(folder, name.replace(/\.\w+$/, '.fods')), 'utf8');
}

interface Cell {
  type: string | null;
  value: string;
  formula: string | null;
}

function sheetOf(document: string, name: string): Cell[][] {
  const [, sheet = ''] =
    new RegExp(`<table:table table:name="${name}"[^>]*>(.*?)</table:table>`, 's').exec(document) ?? [];
  return [...sheet.matchAll(/<table:table-row[^>]*>(.*?)<\/table:table-row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(
      ([, head = '', body = '']) => {
        const of = (attribute: string): string | null =>
          new RegExp(` ${attribute}="([^"]*)"`).exec(head)?.[1] ?? null;
        const value = of('office:value') ?? of('office:date-value') ?? textOf(body);
        const cell = { type: of('office:value-type'), value, formula: of('table:formula') };
        return Array.from(
          { length: Math.min(20, Number(of('table:number-columns-repeated') ?? 1)) },
          () => cell,
        );
      },
    ),
  );
}

function textOf(body: string): string {
  const lines = [...body.matchAll(/<text:p>(.*?)<\/text:p>/gs)].map(([, line = '']) => line);
  // Repeated spaces, and links that LibreOffice makes of addresses, are separate elements.
  return readEntities(
    lines
      .join('\n')
      .replace(/<text:s\/>/g, ' ')
      .replace(/<[^>]+>/g, ''),
  );
}

function readEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? '');
}

function checkTable(what: string, sheet: Cell[][]): void {
  const [head = [], ...body] = sheet;
  expectSame(
    `${what}: its head`,
    head.slice(0, columns.length).map(({ value }) => value),
    columns.map(({ name }) => name),
  );
  for (const [index, [kind, start, amount, gone, label]] of rows.entries()) {
    const cells = body[index] ?? [];
    const name = `${what}: row ${index + 1} (${JSON.stringify(label)})`;
    expectSame(
      `${name} kinds`,
      cells.slice(0, 3).map((cell) => cell.type),
      ['string', 'date', what === 'XLSX' ? 'currency' : 'float'],
    );
    const amountType = Number(cells[2]?.value);
    expectSame(`${name} values`, [cells[0]?.value, amountType, gone], [kind, Number(amount), null]);
    const seconds = Math.round(Date.parse(`${cells[1]?.value}Z`) / 1_000);
    expectSame(`${name} time`, seconds, Date.parse(String(start)) / 1_000);
    expectSame(`${name} formulas`, cells.filter(({ formula }) => formula !== null).length, 0);
    const text = String(label);
    const isDisarmed = what !== 'XLSX' && /^[=+@-]/.test(text);
    if (what === 'XLSX' || isDisarmed) {
      expectSame(
        `${name} text`,
        [cells[4]?.type, cells[4]?.value],
        ['string', isDisarmed ? `'${text}` : text],
      );
    }
  }
}

function checkSummary(sheet: Cell[][]): void {
  const months = sheet.filter(([first]) => first?.type === 'date');
  expectSame('Summary: months', months.length, 2);
  for (const row of months) {
    const [, , formula, value] = row;
    if (formula?.formula?.includes('SUMIFS') !== true) failures.push('Summary: a month has no formula');
    const sum = rows
      .filter(([, start]) => String(start).startsWith(row[0]?.value.slice(0, 7) ?? 'none'))
      .reduce((total, [, , amount]) => total + Number(amount), 0);
    expectSame(`Summary: ${row[0]?.value}`, [Number(formula?.value), Number(value?.value)], [sum, sum]);
  }
}

function expectSame(what: string, found: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) failures.push(`${what}: ${a}, not ${b}`);
}
