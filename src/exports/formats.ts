import { type CsvDialect, writeCsv } from './csv.ts';
import { writeJson, writeNdjson } from './json.ts';
import { writeParquet } from './parquet.ts';
import type { ExportTable, RowSource } from './table.ts';
import { writeXlsx } from './xlsx/workbook.ts';

interface Format {
  /** The format's label on the page. */
  label: string;
  mediaType: string;
  write: (table: ExportTable, source: RowSource, csv: CsvDialect) => AsyncIterable<Buffer>;
}

const formats = {
  csv: {
    label: 'CSV',
    mediaType: 'text/csv; charset=utf-8; header=present',
    write: ({ columns }, { rows }, csv) => writeCsv(columns, rows, csv),
  },
  xlsx: {
    label: 'Excel',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: (table, { rows }, { timeZone }) => writeXlsx(table, rows, { timeZone }),
  },
  json: {
    label: 'JSON',
    mediaType: 'application/json',
    write: ({ columns }, { rows }) => writeJson(columns, rows),
  },
  ndjson: {
    label: 'NDJSON',
    mediaType: 'application/x-ndjson',
    write: ({ columns }, { rows }) => writeNdjson(columns, rows),
  },
  parquet: {
    label: 'Parquet',
    mediaType: 'application/vnd.apache.parquet',
    write: ({ columns }, source) => writeParquet(columns, source),
  },
} satisfies Record<string, Format>;

export type ExportFormat = keyof typeof formats;
export const exportFormats = Object.keys(formats) as ExportFormat[];

export const formatLabel = (format: ExportFormat): string => formats[format].label;
export const mediaTypeOf = (format: ExportFormat): string => formats[format].mediaType;

/** Returns the bytes of a table in a format, piece by piece; leaving early or an abort ends the query. */
export const writeTable = (
  table: ExportTable,
  { format, csv, signal }: { format: ExportFormat; csv: CsvDialect; signal: AbortSignal },
): AsyncGenerator<Buffer> => table.open(signal, (source) => formats[format].write(table, source, csv));
