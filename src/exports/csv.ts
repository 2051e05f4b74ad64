import type { Sql } from '../database/connection.ts';
import { finishCsv } from './csv-bytes.ts';
import { csvCopySql } from './csv-text.sql.ts';
import { type CsvDialect, type ExportCell, type ExportColumn, formulaStarts } from './export-column.ts';
import { copyBytes, type ExportTable, inPieces } from './table.ts';
import { createZoneClock, type ZoneClock } from './zone-clock.ts';

const lineEnd = '\r\n';

/** A table as CSV by RFC 4180, its head first; what a spreadsheet would take for a formula is made text. */
export async function* writeCsv(
  sql: Sql,
  table: ExportTable,
  dialect: CsvDialect,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const head = table.columns.map(({ name }) => name).join(dialect.delimiter);
  yield Buffer.from(`${dialect.mark ? '\uFEFF' : ''}${head}${lineEnd}`);
  const { source, columns } = table;
  if ('query' in source) {
    const lines = copyBytes(sql, csvCopySql(source.query, columns, dialect), signal);
    yield* finishCsv(lines, columns, dialect);
  } else {
    yield* inPieces(csvLines(source.rows, columns, dialect));
  }
}

async function* csvLines(
  groups: AsyncIterable<readonly (readonly ExportCell[])[]>,
  columns: readonly ExportColumn[],
  dialect: CsvDialect,
): AsyncGenerator<string> {
  const clock = createZoneClock(dialect.timeZone);
  for await (const rows of groups) {
    const lines = rows.map((row) =>
      columns
        .map(({ type }, index) => csvCell(row[index] ?? null, type, dialect, clock))
        .join(dialect.delimiter),
    );
    if (lines.length > 0) yield `${lines.join(lineEnd)}${lineEnd}`;
  }
}

function csvCell(
  value: ExportCell,
  type: ExportColumn['type'],
  dialect: CsvDialect,
  clock: ZoneClock,
): string {
  if (value === null) return '';
  if (type === 'text') return quoteCell(disarm(String(value)), dialect);
  if (value instanceof Date) return momentText(value, dialect, clock);
  const text = String(value);
  return quoteCell(
    type === 'integer' || type === 'boolean' ? text : text.replace('.', dialect.decimal),
    dialect,
  );
}

/** Text that no spreadsheet runs: with an apostrophe before what begins like a formula. */
const disarm = (text: string): string =>
  (formulaStarts as readonly string[]).includes(text[0] ?? '') ? `'${text}` : text;

// Empty text is quoted, to be told from what is not known.
const quoteCell = (text: string, { delimiter }: CsvDialect): string =>
  text === '' || text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

function momentText(at: Date, { moments }: CsvDialect, clock: ZoneClock): string {
  const local = clock.localText(at);
  if (moments === 'sheet') return local.slice(0, 19).replace('T', ' ');
  return `${local.replace(/\.000$/, '').replace(/(\.\d*?)0+$/, '$1')}${clock.offsetText(at)}`;
}
