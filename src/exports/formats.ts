import type { Sql } from '../database/connection.ts';
import { decimalScale } from '../spend/tables/decimal-scale.ts';
import { inSnapshot, readRows } from './copy-out.sql.ts';
import { writeCsv } from './csv.ts';
import type { CsvDialect } from './export-column.ts';
import { writeJson, writeNdjson } from './json.ts';
import { writeParquet } from './parquet.ts';
import { type ExportTable, rowsOf } from './table.ts';
import { writeXlsx } from './xlsx/workbook.ts';

export const exportFormats = ['csv', 'xlsx', 'json', 'ndjson', 'parquet'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** The media type of each format. */
export const mediaTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
};

/** The bytes of a table in a format, in pieces as they are taken; leaving early or the signal ends the query. */
export async function* writeTable(
  sql: Sql,
  table: ExportTable,
  how: { format: ExportFormat; csv: CsvDialect; signal: AbortSignal },
): AsyncGenerator<Buffer> {
  const { format, csv, signal } = how;
  switch (format) {
    case 'csv':
      return yield* writeCsv(sql, table, csv, signal);
    case 'json':
      return yield* writeJson(sql, table, signal);
    case 'ndjson':
      return yield* writeNdjson(sql, table, signal);
    case 'xlsx':
      return yield* writeXlsx(table, rowsOf(sql, table, signal), { timeZone: csv.timeZone });
    case 'parquet':
      return yield* tableParquet(sql, table, signal);
  }
}

/** Of a program's rows no exact value has more decimals than this. */
const leastScale = 12;

function tableParquet(sql: Sql, table: ExportTable, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { source, columns } = table;
  if ('rows' in source) return writeParquet(columns, source.rows, leastScale);
  // The file says at its beginning how many decimals there are: of the same moment as the rows.
  return inSnapshot(sql, signal, async function* (snapshot) {
    const scale = await decimalScale(snapshot.tx, { query: source.query, columns: [...columns] });
    yield* writeParquet(columns, readRows(snapshot, source.query, columns), scale);
  });
}

/**
 * How CSV is written for a locale such as `de`; null: for programs, with points, commas and exact times. With one for
 * spreadsheets: semicolons and decimal commas where its language writes them, local times, and a byte order mark.
 */
export function csvDialect(locale: string | null, timeZone: string): CsvDialect {
  if (locale === null) return { delimiter: ',', decimal: '.', moments: 'exact', mark: false, timeZone };
  const decimal = new Intl.NumberFormat(locale)
    .formatToParts(1.5)
    .find(({ type }) => type === 'decimal')?.value;
  const isComma = decimal === ',';
  return {
    ...{ delimiter: isComma ? ';' : ',', decimal: isComma ? ',' : '.' },
    ...{ moments: 'sheet', mark: true, timeZone },
  };
}

/** Whether the name is that of a language that numbers can be written in. */
export function isLocale(name: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf([name]).length === 1;
  } catch {
    return false;
  }
}
