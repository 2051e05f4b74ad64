import type { ExportCell } from './export-cell.ts';
import type { ExportColumn } from './export-column.ts';

/** Groups of rows, in order. */
export type ExportRows = AsyncIterable<readonly (readonly ExportCell[])[]>;

/** A source of rows that all come from one database snapshot. */
export interface RowSource {
  rows: ExportRows;
  /** The most decimals of any exact value, at least 12. */
  countDecimals: () => Promise<number>;
}

/** What is exported. */
export interface ExportTable {
  /** Title of its sheet. */
  title: string;
  columns: readonly ExportColumn[];
  /** Returns what `write` makes of the rows; leaving early or an abort ends the query. */
  open: (signal: AbortSignal, write: (source: RowSource) => AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;
  /** Whether a workbook's heads are the names of the API, which programs rely on. @default heads for people */
  keepsNames?: true;
  /** What the table was made of, for a workbook's summary: what it is, and its value. */
  facts?: readonly (readonly [what: string, value: string])[];
  /** Exact totals in US dollars for a workbook's summary: of what, and decimal text. */
  totals?: () => Promise<readonly (readonly [what: string, usd: string])[]>;
  /** Adds sums by month to a workbook's summary. */
  monthly?: true;
  /** Additional small sheets of a workbook. */
  beside?: () => Promise<readonly SideTable[]>;
}

/** A short table. */
export interface SideTable {
  title: string;
  columns: readonly ExportColumn[];
  rows: readonly (readonly ExportCell[])[];
  /** What a workbook says in the first cell if there are no rows; the first column has text. */
  none?: string;
}

/** Minimum number of decimals to write; no value of the program has more. */
export const minDecimals = 12;

/** A table of rows that the program holds or makes. */
export const programTable = (
  title: string,
  columns: readonly ExportColumn[],
  rows: ExportRows,
): ExportTable => ({
  title,
  columns,
  open: async function* (_, write) {
    yield* write({ rows, countDecimals: async () => minDecimals });
  },
});

/** Yields rows that are all in memory, as one group. */
export async function* oneGroup(rows: readonly (readonly ExportCell[])[]): AsyncGenerator<typeof rows> {
  yield rows;
}
