import type postgres from 'postgres';
import type { Db } from '../../database/connection.ts';

/** Rows of a table that are deleted; `where` is SQL about the row `t`. */
export interface DoomedRows {
  /** What they are, for people. */
  what: string;
  table: string;
  where: postgres.Fragment;
}

/** How many rows, and their bytes without indexes. */
export interface RowCount {
  rows: number;
  bytes: number;
}

/** Counts the rows without changing anything. */
export async function countRows(db: Db, { table, where }: DoomedRows): Promise<RowCount> {
  const [row] = await db<RowCount[]>`
    select count(*) as rows, coalesce(sum(pg_column_size(t.*)), 0)::float8 as bytes from ${db(table)} t where ${where}`;
  return { rows: row?.rows ?? 0, bytes: row?.bytes ?? 0 };
}

/** Deletes the rows and returns what `countRows` said just before. */
export async function deleteRows(db: Db, rows: DoomedRows): Promise<RowCount> {
  const counted = await countRows(db, rows);
  await db`delete from ${db(rows.table)} t where ${rows.where}`;
  return counted;
}

/** SQL of the ended crawls that began before a moment, without the newest of a series: it says when the next is due. */
export const olderCrawls = (db: Db, before: Date): postgres.Fragment => db`
  t.started_at < ${before} and t.ended_at is not null
    and exists (select from crawl n where n.market_id = t.market_id and n.kind = t.kind
      and n.scope_name = t.scope_name and n.type is not distinct from t.type and n.started_at > t.started_at)`;
