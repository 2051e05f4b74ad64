import type { ExportColumn } from '../export-column.ts';
import type { LakeTable } from './lake-table.ts';

/** Which rows of a market. */
export interface LakeScope {
  marketId: number;
  /** The moment of the database. */
  asOf: Date;
}

/** How a table of the lake is read: SQL without parameters, for COPY. */
export interface LakeQuery extends LakeTable {
  /** What the table is about, for the documents. */
  about: string;
  /** SQL of `day` and `source`, a text of what each day is made from. */
  daysSql: (scope: LakeScope) => string;
  /** Whether a day is made from all days before it too, as attributes in force are. */
  dependsOnPast?: true;
  /** SQL of `day` and the table's columns, by day, for days from `from` to before `to`. */
  rowsSql: (scope: LakeScope, from: string, to: string) => string;
}

/** Returns a table without exact decimals, or with the given number of them. */
export const lakeQuery = (
  query: Omit<LakeQuery, 'scale' | 'columns'> & { scale?: number; columns: readonly ExportColumn[] },
): LakeQuery => ({ scale: 0, ...query });
