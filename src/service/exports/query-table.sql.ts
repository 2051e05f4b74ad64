import type { Db, Sql } from '../../database/connection.ts';
import { inSnapshot, readRows } from '../../database/snapshot.sql.ts';
import { type ExportTable, minDecimals } from '../../exports/table.ts';
import type { ExportQuery } from '../../spend/tables/spend.tables.ts';

/** Returns the result of a query as a table, read at one moment of the database. */
export const queryTable = (sql: Sql, title: string, { columns, query }: ExportQuery): ExportTable => ({
  title,
  columns,
  open: (signal, write) =>
    inSnapshot(sql, signal, (snapshot) =>
      write({
        rows: readRows(snapshot, `select ${columns.map(({ name }) => `"${name}"`)} from (${query}) as line`),
        countDecimals: () => countDecimals(snapshot.tx, { columns, query }),
      }),
    ),
});

async function countDecimals(db: Db, { columns, query }: ExportQuery): Promise<number> {
  const exact = columns.filter(({ type }) => type === 'usd' || type === 'decimal');
  const scales = exact.map(({ name }) => `max(scale("${name}"))`);
  const [row] = await db.unsafe<{ scale: number | null }[]>(
    `select greatest(${scales.join(', ')}) as scale from (${query}) as line`,
  );
  return Math.max(minDecimals, row?.scale ?? 0);
}
