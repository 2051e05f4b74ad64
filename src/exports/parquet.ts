import type { ParquetWriter } from 'hyparquet-writer';
import { type ExportCell, isoMoment, isTrue } from './export-cell.ts';
import type { ColumnType, ExportColumn } from './export-column.ts';
import type { RowSource } from './table.ts';

/** Rows in a row group: this many are encoded at a time. */
const groupRows = 2_000;
const precision = 38;

type Element = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

/**
 * Writes a table as Parquet: exact decimals as DECIMAL(38, the most decimals of any value), times as UTC timestamps in
 * microseconds. Throws if a value does not fit 38 digits.
 */
export async function* writeParquet(
  columns: readonly ExportColumn[],
  { rows, countDecimals }: RowSource,
): AsyncGenerator<Buffer> {
  // Parquet states a column's number of decimals before its first value.
  const scale = columns.some(({ type }) => isExact(type)) ? await countDecimals() : 0;
  const writers = await import('hyparquet-writer');
  const bytes = new writers.ByteWriter();
  const writer = new writers.ParquetWriter({
    writer: bytes,
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map((column) => elementOf(column, scale)),
    ],
    createdBy: 'Offerbook',
    statistics: false,
  });
  const take = (): Buffer => {
    const piece = Buffer.from(bytes.getBytes().slice());
    bytes.index = 0;
    return piece;
  };
  let group: (readonly ExportCell[])[] = [];
  const writeGroup = (): void => {
    const columnData = columns.map(({ name, type }, index) => ({
      name,
      data: group.map((row) => storedValue(row[index] ?? null, type, scale)),
      offsetIndex: false,
    }));
    // Nothing to flush: the write is complete when it returns.
    void writer.write({ columnData, rowGroupSize: groupRows });
    group = [];
  };
  for await (const some of rows) {
    group.push(...some);
    if (group.length < groupRows) continue;
    writeGroup();
    yield take();
  }
  if (group.length > 0) writeGroup();
  void writer.finish();
  yield take();
}

function elementOf({ name, type }: ExportColumn, scale: number): Element {
  const optional = { name, repetition_type: 'OPTIONAL' as const };
  switch (type) {
    case 'text':
      return { ...optional, type: 'BYTE_ARRAY', converted_type: 'UTF8' };
    case 'usd':
    case 'decimal':
      return {
        ...optional,
        type: 'FIXED_LEN_BYTE_ARRAY',
        type_length: 16,
        converted_type: 'DECIMAL',
        precision,
        scale,
      };
    case 'number':
      return { ...optional, type: 'DOUBLE' };
    case 'integer':
      return { ...optional, type: 'INT64' };
    case 'moment':
      return {
        ...optional,
        type: 'INT64',
        converted_type: 'TIMESTAMP_MICROS',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
      };
    case 'boolean':
      return { ...optional, type: 'BOOLEAN' };
  }
}

function storedValue(cell: ExportCell, type: ColumnType, scale: number): unknown {
  if (cell === null) return undefined;
  switch (type) {
    case 'text':
      return cell;
    case 'usd':
    case 'decimal':
      return unscaled(cell, scale);
    case 'number':
      return Number(cell);
    case 'integer':
      return BigInt(cell);
    case 'moment':
      return new Date(isoMoment(cell));
    case 'boolean':
      return isTrue(cell);
  }
}

const isExact = (type: ColumnType): boolean => type === 'usd' || type === 'decimal';

/** Returns the digits of a decimal without its point, at a fixed number of decimals. */
function unscaled(text: string, scale: number): bigint {
  const [whole = '', decimals = ''] = text.split('.');
  if (decimals.length > scale || whole.length + scale > precision) {
    throw new Error(
      `${text} does not fit a Parquet decimal of ${precision} digits, ${scale} of them decimals`,
    );
  }
  return BigInt(`${whole}${decimals.padEnd(scale, '0')}`);
}
