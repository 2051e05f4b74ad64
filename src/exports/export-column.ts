/** How the values of a column are written: `usd` and `decimal` are exact decimal text, `number` is a float. */
export type ColumnType = 'text' | 'usd' | 'decimal' | 'number' | 'integer' | 'moment' | 'boolean';

/** A column of an export. */
export interface ExportColumn {
  name: string;
  type: ColumnType;
  /** Returns a cell of a workbook, where the exact text is written for programs. @default the text itself */
  sheetText?: (cell: string) => string;
}

/** Columns by name, in order. */
export const columnsOf = (types: Record<string, ColumnType>): ExportColumn[] =>
  Object.entries(types).map(([name, type]) => ({ name, type }));
