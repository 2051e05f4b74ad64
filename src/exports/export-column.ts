/** How the values of a column are written: `usd` and `decimal` are exact decimal text, `number` is a float. */
export type ColumnType = 'text' | 'usd' | 'decimal' | 'number' | 'integer' | 'moment' | 'boolean';

/** A column of an export. */
export interface ExportColumn {
  name: string;
  type: ColumnType;
  /** What it means, for a workbook's sheet of columns. */
  note?: string;
  /** Returns a cell of a workbook, where the exact text is written for programs. @default the text itself */
  sheetText?: (cell: string) => string;
}

/** Columns by name, in order, with what they mean where it is known. */
export const columnsOf = (
  types: Record<string, ColumnType>,
  notes: Readonly<Record<string, string>> = {},
): ExportColumn[] =>
  Object.entries(types).map(([name, type]) => {
    const note = notes[name];
    return note === undefined ? { name, type } : { name, type, note };
  });
