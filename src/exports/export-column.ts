/** How a column's values are written: `usd` and `decimal` are exact decimal text, `number` is a float. */
export type ColumnType = 'text' | 'usd' | 'decimal' | 'number' | 'integer' | 'moment' | 'boolean';

/** A column of an export. */
export interface ExportColumn {
  name: string;
  type: ColumnType;
}

/** A value of a row: text for text and exact decimals; null: not known. */
export type ExportCell = string | number | boolean | Date | null;

/** How a CSV file is written. */
export interface CsvDialect {
  delimiter: ',' | ';';
  decimal: '.' | ',';
  /**
   * `exact`: ISO 8601 with the zone's offset, for programs; `sheet`: local times to the second without one, which
   * spreadsheets take for times in every language.
   */
  moments: 'exact' | 'sheet';
  /** Begins with a byte order mark, by which spreadsheets know UTF-8. */
  mark: boolean;
  timeZone: string;
}

/** Characters that spreadsheets take for the beginning of a formula. Source: semantics.md, Text from outside. */
export const formulaStarts = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'] as const;
