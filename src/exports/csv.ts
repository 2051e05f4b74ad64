import { type ExportCell, isoMoment, isTrue } from './export-cell.ts';
import type { ColumnType, ExportColumn } from './export-column.ts';
import type { ExportRows } from './table.ts';
import { createZoneClock } from './zone-clock.ts';

/** How a CSV file is written. */
export interface CsvDialect {
  delimiter: ',' | ';';
  decimal: '.' | ',';
  /**
   * `exact`: ISO 8601 with the zone's offset, for programs; `sheet`: local times to the second without an offset, which
   * spreadsheets recognize in every language.
   */
  moments: 'exact' | 'sheet';
  /** Starts with a byte order mark, so that spreadsheets recognize UTF-8. */
  mark: boolean;
  timeZone: string;
}

const lineEnd = '\r\n';

/** Writes a table as RFC 4180 CSV with a header; marks text as text where a spreadsheet would run it as a formula. */
export async function* writeCsv(
  columns: readonly ExportColumn[],
  groups: ExportRows,
  dialect: CsvDialect,
): AsyncGenerator<Buffer> {
  const { delimiter } = dialect;
  yield Buffer.from(
    `${dialect.mark ? '\uFEFF' : ''}${columns.map(({ name }) => name).join(delimiter)}${lineEnd}`,
  );
  const writers = columns.map(({ type }) => cellWriter(type, dialect));
  const lineOf = (row: readonly ExportCell[]): string => {
    let line = '';
    // A loop instead of `map`: this runs for a million rows of twenty cells.
    for (let index = 0; index < writers.length; index += 1) {
      const cell = row[index] ?? null;
      if (index > 0) line += delimiter;
      if (cell !== null) line += writers[index]?.(cell);
    }
    return line + lineEnd;
  };
  for await (const rows of groups) if (rows.length > 0) yield Buffer.from(rows.map(lineOf).join(''));
}

function cellWriter(type: ColumnType, dialect: CsvDialect): (cell: string) => string {
  switch (type) {
    case 'text':
      return (cell) => (harmless.test(cell) ? cell : quoteCell(disarm(cell), dialect));
    case 'moment':
      return momentWriter(dialect);
    case 'boolean':
      return (cell) => (isTrue(cell) ? 'true' : 'false');
    case 'usd':
    case 'decimal':
    case 'number':
      return (cell) => cell.replace('.', dialect.decimal);
    case 'integer':
      return (cell) => cell;
  }
}

/** Matches text that needs neither an apostrophe nor quotes in any dialect. */
const harmless = /^[A-Za-z0-9][^",;\r\n]*$/;
/** Matches the start of a formula in spreadsheets. Source: docs/meaning.md#text-from-outside. */
const formulaStart = /^[=+\-@\t\r＝＋－＠]/u;

const disarm = (text: string): string => (formulaStart.test(text) ? `'${text}` : text);

// Empty text is quoted to distinguish it from unknown.
const quoteCell = (text: string, { delimiter }: CsvDialect): string =>
  text === '' || text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

function momentWriter({ moments, timeZone }: CsvDialect): (cell: string) => string {
  if (moments === 'exact' && timeZone === 'UTC') return (cell) => withoutZeros(isoMoment(cell));
  const clock = createZoneClock(timeZone);
  return (cell) => {
    const iso = isoMoment(cell);
    const at = new Date(iso);
    const local = clock.localText(at).slice(0, 19);
    if (moments === 'sheet') return local.replace('T', ' ');
    return withoutZeros(`${local}${iso.slice(19, -1)}${clock.offsetText(at)}`);
  };
}

/** Returns a time without trailing zeros in its fraction of a second. */
const withoutZeros = (moment: string): string =>
  moment[19] === '.' ? moment.replace(/\.?0*(?=[Z+-][\d:]*$)/, '') : moment;

/**
 * Returns the CSV dialect of a locale such as `de`: semicolons and decimal commas where the language uses them, local
 * times and a byte order mark. null: the dialect for programs, with decimal points, commas and exact times.
 */
export function csvDialect(locale: string | null, timeZone: string): CsvDialect {
  if (locale === null) return { delimiter: ',', decimal: '.', moments: 'exact', mark: false, timeZone };
  const decimal = new Intl.NumberFormat(locale)
    .formatToParts(1.5)
    .find(({ type }) => type === 'decimal')?.value;
  const isComma = decimal === ',';
  return {
    delimiter: isComma ? ';' : ',',
    decimal: isComma ? ',' : '.',
    moments: 'sheet',
    mark: true,
    timeZone,
  };
}
