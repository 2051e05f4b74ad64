import type { Sql } from '../database/connection.ts';
import { copyOut, inSnapshot, readRows, type Snapshot } from './copy-out.sql.ts';
import type { ExportCell, ExportColumn } from './export-column.ts';

/** What is exported: columns, and rows in their order, from a query or from the program. */
export interface ExportTable {
  /** Of its sheet, in words. */
  title: string;
  columns: readonly ExportColumn[];
  source: { query: string } | { rows: AsyncIterable<readonly (readonly ExportCell[])[]> };
  /** More for a workbook's summary, made of the rows as they pass. */
  monthly?: true;
  /** More sheets for a workbook, which need little room. */
  beside?: () => Promise<readonly SideTable[]>;
}

/** A short table that a workbook has beside its own. */
export interface SideTable {
  title: string;
  columns: readonly ExportColumn[];
  rows: readonly (readonly ExportCell[])[];
}

/** The rows of a table as cells, read in one snapshot where they come from a query. */
export function rowsOf(
  sql: Sql,
  table: ExportTable,
  signal: AbortSignal,
): AsyncIterable<readonly (readonly ExportCell[])[]> {
  const { source, columns } = table;
  if ('rows' in source) return source.rows;
  return inSnapshot(sql, signal, (snapshot: Snapshot) => readRows(snapshot, source.query, columns));
}

/** The bytes of a COPY in one snapshot. */
export const copyBytes = (sql: Sql, statement: string, signal: AbortSignal): AsyncGenerator<Buffer> =>
  inSnapshot(sql, signal, (snapshot) => copyOut(snapshot, statement));

/** Pieces of text put together to some tens of KB, as bytes. */
export async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let held = '';
  for await (const text of texts) {
    held += text;
    if (held.length < 32_768) continue;
    yield Buffer.from(held);
    held = '';
  }
  if (held !== '') yield Buffer.from(held);
}
