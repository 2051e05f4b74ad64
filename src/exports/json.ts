import type { Sql } from '../database/connection.ts';
import type { ExportCell, ExportColumn } from './export-column.ts';
import { jsonCopySql } from './json-text.sql.ts';
import { copyBytes, type ExportTable, inPieces } from './table.ts';

const lineFeed = 0x0a;

/** A table as JSON objects, one a line; exact decimals are text. */
export function writeNdjson(sql: Sql, table: ExportTable, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { source, columns } = table;
  return 'query' in source
    ? copyBytes(sql, jsonCopySql(source.query, columns), signal)
    : inPieces(jsonLines(source.rows, columns));
}

/** A table as one JSON array of the same objects, a line each. */
export async function* writeJson(sql: Sql, table: ExportTable, signal: AbortSignal): AsyncGenerator<Buffer> {
  yield Buffer.from('[');
  let first = true;
  let pendingEnd = false;
  for await (const piece of writeNdjson(sql, table, signal)) {
    // A line's end is known to be a separator when the next line begins.
    const out = Buffer.allocUnsafe(piece.length * 2 + 2);
    let at = 0;
    for (const byte of piece) {
      if (pendingEnd) {
        at += out.write(',\n', at);
        pendingEnd = false;
      } else if (first) at += out.write('\n', at);
      first = false;
      if (byte === lineFeed) pendingEnd = true;
      else {
        out[at] = byte;
        at += 1;
      }
    }
    yield out.subarray(0, at);
  }
  yield Buffer.from(first ? ']\n' : '\n]\n');
}

async function* jsonLines(
  groups: AsyncIterable<readonly (readonly ExportCell[])[]>,
  columns: readonly ExportColumn[],
): AsyncGenerator<string> {
  for await (const rows of groups) {
    for (const row of rows) {
      const object = Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null]));
      yield `${JSON.stringify(object)}\n`;
    }
  }
}
