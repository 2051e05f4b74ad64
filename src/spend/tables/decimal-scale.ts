import type { Db } from '../../database/connection.ts';
import type { ExportQuery } from './spend.tables.ts';

/** The most decimals of any exact value of a query, at least 12. */
export async function decimalScale(db: Db, { query, columns }: ExportQuery): Promise<number> {
  const exact = columns.filter(({ type }) => type === 'usd' || type === 'decimal');
  if (exact.length === 0) return 12;
  const scales = exact.map(({ name }) => `max(scale("${name}"))`);
  const [row] = await db.unsafe<{ scale: number | null }[]>(
    `select greatest(${scales.join(', ')}) as scale from (${query}) as line`,
  );
  return Math.max(12, row?.scale ?? 0);
}
