import type { ExportColumn } from '../export-column.ts';
import type { ExportRows } from '../table.ts';

/** A table of the lake. Its schema is the same in all its files. */
export interface LakeTable {
  name: string;
  columns: readonly ExportColumn[];
  /** Decimals of its `usd` and `decimal` columns. */
  scale: number;
}

/** A table of one market as the database has it. */
export interface LakeSource {
  table: LakeTable;
  market: string;
  /**
   * What each UTC day is made from, as a short text that changes whenever the day's rows do; days without rows are
   * missing.
   */
  days: ReadonlyMap<string, string>;
  /** Rows of the days from `from` to before `to` by day, the day as first cell. */
  rows: (from: string, to: string) => ExportRows;
}

const dayMs = 86_400_000;

/** Returns the UTC day that comes this many days later: `2026-03-29` and 2 give `2026-03-31`. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** Returns the UTC day of a moment. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
