import type { ExportCell } from './export-cell.ts';
import type { ExportColumn } from './export-column.ts';
import { beginParquet } from './parquet-file.ts';
import type { RowSource } from './table.ts';

/** Rows in a row group: this many are encoded at a time. */
const groupRows = 2_000;

/**
 * Writes a table as Parquet: exact decimals with the most decimals of any value, times in microseconds. Throws if a value
 * does not fit 38 digits.
 */
export async function* writeParquet(
  columns: readonly ExportColumn[],
  { rows, countDecimals }: RowSource,
): AsyncGenerator<Buffer> {
  // Parquet states a column's number of decimals before its first value.
  const isExact = columns.some(({ type }) => type === 'usd' || type === 'decimal');
  const file = await beginParquet(columns, { scale: isExact ? await countDecimals() : 0, statistics: false });
  let group: (readonly ExportCell[])[] = [];
  for await (const some of rows) {
    group.push(...some);
    if (group.length < groupRows) continue;
    file.addGroup(group);
    group = [];
    yield file.take();
  }
  if (group.length > 0) file.addGroup(group);
  file.finish();
  yield file.take();
}
