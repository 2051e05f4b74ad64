import { createHash } from 'node:crypto';
import { UserError } from '../../core/errors.ts';
import type { ExportCell } from '../export-cell.ts';
import { beginParquet, type ParquetFile } from '../parquet-file.ts';
import type { ExportRows } from '../table.ts';
import type { LakeTable } from './lake-table.ts';

/** Rows in a row group: this many are in memory at a time, beside the finished part of one day's file. */
const groupRows = 32_768;

/** The file of a table and day. */
export interface DayFile {
  day: string;
  rows: number;
  bytes: Buffer;
  sha256: string;
}

/** Yields a file for each day of some rows, whose first cell is their day. Throws a UserError for a value that does not fit. */
export async function* dayFiles(table: LakeTable, rows: ExportRows): AsyncGenerator<DayFile> {
  let open: OpenDay | null = null;
  for await (const some of rows) {
    for (const [day, ...cells] of some) {
      if (day === undefined || day === null) throw new Error(`a row of ${table.name} has no day`);
      if (open !== null && open.day !== day) {
        yield open.end();
        open = null;
      }
      open ??= await beginDay(table, day);
      open.add(cells);
    }
  }
  if (open !== null) yield open.end();
}

interface OpenDay {
  day: string;
  add: (row: readonly ExportCell[]) => void;
  end: () => DayFile;
}

async function beginDay(table: LakeTable, day: string): Promise<OpenDay> {
  const file: ParquetFile = await beginParquet(table.columns, { scale: table.scale, statistics: true });
  const pieces: Buffer[] = [];
  let group: (readonly ExportCell[])[] = [];
  let rows = 0;
  const endGroup = (): void => {
    try {
      file.addGroup(group);
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause;
      throw new UserError(
        `The table ${table.name} of ${day} cannot be written: ${cause.message}. Leave it out with --tables.`,
        { cause },
      );
    }
    group = [];
    pieces.push(file.take());
  };
  return {
    day,
    add: (row) => {
      rows += 1;
      group.push(row);
      if (group.length === groupRows) endGroup();
    },
    end: () => {
      if (group.length > 0) endGroup();
      file.finish();
      const bytes = Buffer.concat([...pieces, file.take()]);
      return { day, rows, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
    },
  };
}
