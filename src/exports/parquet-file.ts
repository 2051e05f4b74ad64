import type { ParquetWriter } from 'hyparquet-writer';
import { type ExportCell, isoMoment, isTrue } from './export-cell.ts';
import type { ColumnType, ExportColumn } from './export-column.ts';

/** Digits of every exact decimal. */
const precision = 38;

type Element = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

/** A Parquet file that is being written. */
export interface ParquetFile {
  /** Encodes rows as the next row group. Throws a RangeError if an exact value does not fit its column. */
  addGroup: (rows: readonly (readonly ExportCell[])[]) => void;
  /** Ends the file; only `take` may follow. */
  finish: () => void;
  /** Returns the bytes made since the last call. */
  take: () => Buffer;
}

/**
 * Begins a file: exact decimals as DECIMAL(38, `scale`), times as UTC timestamps in microseconds. `statistics`: whether
 * row groups state the least and greatest value of each column, so that readers can leave groups out.
 */
export async function beginParquet(
  columns: readonly ExportColumn[],
  { scale, statistics }: { scale: number; statistics: boolean },
): Promise<ParquetFile> {
  const writers = await import('hyparquet-writer');
  const bytes = new writers.ByteWriter();
  const writer = new writers.ParquetWriter({
    writer: bytes,
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map((column) => elementOf(column, scale)),
    ],
    createdBy: 'Offerbook',
    statistics,
  });
  const storedValues = columns.map(({ type }) => valueReader(type, scale));
  return {
    addGroup: (rows) => {
      const columnData = columns.map(({ name }, index) => {
        const stored = storedValues[index] as (cell: string) => unknown;
        const data = rows.map((row) => {
          const cell = row[index] ?? null;
          return cell === null ? undefined : stored(cell);
        });
        return { name, data, offsetIndex: false };
      });
      // Nothing to flush: the write is complete when it returns.
      void writer.write({ columnData, rowGroupSize: rows.length });
    },
    finish: () => void writer.finish(),
    take: () => {
      const piece = Buffer.from(bytes.getBytes().slice());
      bytes.index = 0;
      return piece;
    },
  };
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

function valueReader(type: ColumnType, scale: number): (cell: string) => unknown {
  switch (type) {
    case 'text':
      return (cell) => cell;
    case 'usd':
    case 'decimal':
      return (cell) => unscaled(cell, scale);
    case 'number':
      return Number;
    case 'integer':
      return BigInt;
    case 'moment':
      return momentReader();
    case 'boolean':
      return isTrue;
  }
}

/** Returns microseconds since 1970. Moments repeat in a column, and parsing one takes longer than finding it again. */
function momentReader(): (cell: string) => bigint {
  const known = new Map<string, bigint>();
  return (cell) => {
    const found = known.get(cell);
    if (found !== undefined) return found;
    if (known.size > 10_000) known.clear();
    const iso = isoMoment(cell);
    const micros = (iso.slice(20, -1) || '0').padEnd(6, '0');
    const read = BigInt(Date.parse(`${iso.slice(0, 19)}Z`)) * 1_000n + BigInt(micros);
    known.set(cell, read);
    return read;
  };
}

/** Returns the digits of a decimal without its point, at a fixed number of decimals. */
function unscaled(text: string, scale: number): bigint {
  const [whole = '', decimals = ''] = text.split('.');
  const digits = whole.replace('-', '').length;
  if (decimals.length > scale || digits + scale > precision) {
    throw new RangeError(
      `${text} does not fit a Parquet decimal of ${precision} digits, ${scale} of them decimals`,
    );
  }
  return BigInt(`${whole}${decimals.padEnd(scale, '0')}`);
}
