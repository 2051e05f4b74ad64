import { basename } from 'node:path';
import type { BadRow, CsvFile } from './csv-records.ts';

/** What an import says about a CSV file. */
export interface CsvSummary {
  file: string;
  /** null: none that is known. */
  layout: string | null;
  /** Column by field. */
  columns: Record<string, string>;
  /** Columns that hold no field; they are stored as they are. */
  otherColumns: readonly string[];
  rows: number;
  badRows: number;
  firstBadRows: readonly BadRow[];
}

/** Returns what is said about a CSV file, for programs. */
export function csvSummary(file: string, { columns, rows, badRows, firstBadRows }: CsvFile): CsvSummary {
  const byField = [...columns.fieldOf].map(([column, field]) => [field, column]);
  return {
    file,
    layout: columns.layout,
    columns: Object.fromEntries(byField),
    otherColumns: columns.others,
    rows,
    badRows,
    firstBadRows,
  };
}

/** Returns the same as sentences. */
export function csvWords({
  file,
  layout,
  columns,
  otherColumns,
  rows,
  badRows,
  firstBadRows,
}: CsvSummary): string[] {
  const name = basename(file);
  const renamed = Object.entries(columns).filter(([field, column]) => field !== column);
  return [
    ...(layout === null ? [] : [`${name} has the layout ${layout}.`]),
    ...(renamed.length === 0
      ? []
      : [`${name}: ${renamed.map(([field, column]) => `${field} is \`${column}\``).join(', ')}.`]),
    ...(otherColumns.length === 0 ? [] : [`${name}: not used: ${otherColumns.join(', ')}.`]),
    ...(badRows === 0
      ? []
      : [
          `${name}: ${badRows} of ${rows} rows could not be read: ${firstBadRows
            .map(({ line, reason }) => `line ${line} (${reason})`)
            .join(', ')}${badRows > firstBadRows.length ? ', …' : ''}.`,
        ]),
  ];
}
