import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import type { PricingType } from '../../core/offer.ts';
import { notABook, readPricingType } from '../../core/recorded-book.ts';
import { records } from '../../market/registry.ts';
import { type CsvColumns, type CsvOptions, findColumns, timeField, typeField } from './csv-columns.ts';
import { readRowTime } from './row-time.ts';

/** A row of a CSV file that is no offer. */
export interface BadRow {
  /** Line of the file, from 1. */
  line: number;
  reason: string;
}

/** What was found out about a CSV file. */
export interface CsvFile {
  columns: CsvColumns;
  rows: number;
  badRows: number;
  /** The first of them. */
  firstBadRows: readonly BadRow[];
}

/** A row as a record, and the book that it belongs to. */
export interface CsvRecord {
  record: Record<string, unknown>;
  /** null: the importer gives it. */
  observedAt: Date | null;
  type: PricingType;
}

const maxShownRows = 5;
const maxRowBytes = 4 * 1024 * 1024;
const noText = 'it is not UTF-8 text; fetch it again';

/**
 * Passes the rows of a CSV file to `take` while it is read. A row that states no moment or type is counted only; one
 * that is no offer otherwise is passed on too, to be counted with its book. Throws UserError, with `name`, for anything
 * that is not CSV, and for a header without the required fields.
 */
export async function readCsv(
  name: string,
  chunks: AsyncIterable<Buffer>,
  options: CsvOptions & { observedAt: Date | undefined },
  take: (record: CsvRecord) => Promise<void>,
): Promise<CsvFile> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRowBytes,
  });
  // An error of the source destroys the parser with the same error, which the loop over it throws.
  pipeline(decoded(name, chunks), parser).catch(() => undefined);
  let header: string[] = [];
  let columns: CsvColumns | null = null;
  const found = { rows: 0, badRows: 0, firstBadRows: [] as BadRow[] };
  const reject = (line: number, reason: string): void => {
    found.badRows += 1;
    if (found.firstBadRows.length < maxShownRows) found.firstBadRows.push({ line, reason });
  };
  try {
    for await (const { record: cells, info } of parser as AsyncIterable<ParsedRow>) {
      if (columns === null) {
        header = cells.map((cell) => cell.trim());
        columns = findColumns(name, header, options, options.observedAt !== undefined);
        continue;
      }
      found.rows += 1;
      const row = readRow(header, cells, columns, options.timeZone ?? null);
      if (typeof row === 'string') {
        reject(info.lines, row);
        continue;
      }
      const reading = records.readOffer(row.record, row.type);
      if (!reading.ok) reject(info.lines, reading.rejected.reason);
      await take(row);
    }
  } catch (error) {
    throw csvError(name, error);
  }
  if (columns === null) throw notABook(name, 'the file is empty');
  return { columns, ...found };
}

interface ParsedRow {
  record: string[];
  info: { lines: number };
}

/** Returns the record of a row, or why it belongs to no book. */
function readRow(
  header: readonly string[],
  cells: readonly string[],
  { fieldOf, values, type }: CsvColumns,
  timeZone: string | null,
): CsvRecord | string {
  if (cells.length !== header.length) return `${cells.length} cells, not ${header.length}`;
  const named = header.map((column, at): [string, string] => [
    fieldOf.get(column) ?? column,
    cells[at] ?? '',
  ]);
  const row: Record<string, string> = { ...Object.fromEntries(named), ...values };
  const { [timeField]: time, [typeField]: ownType } = row;
  const observedAt = time === undefined ? null : readRowTime(time, timeZone);
  if (typeof observedAt === 'string') return `${timeField}: ${observedAt}`;
  const rowType = type ?? readPricingType(ownType ?? '');
  if (rowType === null) return `${typeField}: not a pricing type`;
  return { record: records.csv.toRecord(row), observedAt, type: rowType };
}

async function* decoded(name: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const text = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      throw notABook(name, noText, cause);
    }
  };
  for await (const chunk of chunks) yield text(chunk);
  yield text();
}

function csvError(name: string, error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  const { code, lines } = error;
  const problems: Record<string, string> = {
    CSV_QUOTE_NOT_CLOSED: 'a quote is not closed; the file may be cut short',
    CSV_MAX_RECORD_SIZE: 'a row has more than 4 MB',
  };
  return notABook(
    name,
    `line ${String(lines)}: ${problems[code] ?? 'its quotes are not those of CSV'}`,
    error,
  );
}
