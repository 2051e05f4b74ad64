import type { ExportCell } from './export-cell.ts';
import type { ExportColumn } from './export-column.ts';

/** Groups of rows, in their order. */
export type ExportRows = AsyncIterable<readonly (readonly ExportCell[])[]>;

/** What a table's rows are written from: all of the same moment. */
export interface RowSource {
  rows: ExportRows;
  /** The most decimals of any exact value, at least 12. */
  countDecimals: () => Promise<number>;
}

/** What is exported. */
export interface ExportTable {
  /** Of its sheet, in words. */
  title: string;
  columns: readonly ExportColumn[];
  /** Gives what `write` makes of the rows; leaving early or the signal ends what reads them. */
  open: (signal: AbortSignal, write: (source: RowSource) => AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;
  /** More for a workbook's summary, made of the rows as they pass. */
  monthly?: true;
  /** More sheets for a workbook, which need little room. */
  beside?: () => Promise<readonly SideTable[]>;
}

/** A short table. */
export interface SideTable {
  title: string;
  columns: readonly ExportColumn[];
  rows: readonly (readonly ExportCell[])[];
}

/** Of the program's own values none has more decimals. */
export const minDecimals = 12;

/** A table of rows that the program has or makes. */
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

/** Rows that are all there, as one group. */
export async function* oneGroup(rows: readonly (readonly ExportCell[])[]): AsyncGenerator<typeof rows> {
  yield rows;
}
