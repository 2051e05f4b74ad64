import { type ExportCell, isoMoment, isTrue } from './export-cell.ts';
import type { ColumnType, ExportColumn } from './export-column.ts';
import type { ExportRows } from './table.ts';

/** Writes a table as JSON objects, one per line; exact decimals become text. */
export async function* writeNdjson(
  columns: readonly ExportColumn[],
  groups: ExportRows,
): AsyncGenerator<Buffer> {
  const objectOf = objectWriter(columns);
  for await (const rows of groups)
    if (rows.length > 0) yield Buffer.from(`${rows.map(objectOf).join('\n')}\n`);
}

/** Writes a table as one JSON array of the same objects, one per line. */
export async function* writeJson(
  columns: readonly ExportColumn[],
  groups: ExportRows,
): AsyncGenerator<Buffer> {
  const objectOf = objectWriter(columns);
  let separator = '[\n';
  for await (const rows of groups) {
    if (rows.length === 0) continue;
    yield Buffer.from(separator + rows.map(objectOf).join(',\n'));
    separator = ',\n';
  }
  yield Buffer.from(separator === '[\n' ? '[]\n' : '\n]\n');
}

function objectWriter(columns: readonly ExportColumn[]): (row: readonly ExportCell[]) => string {
  const fields = columns.map(({ name, type }) => ({
    name: `${JSON.stringify(name)}:`,
    write: writers[type],
  }));
  return (row) => {
    const values = fields.map(({ name, write }, index) => {
      const cell = row[index] ?? null;
      return name + (cell === null ? 'null' : write(cell));
    });
    return `{${values.join(',')}}`;
  };
}

// JSON has no `NaN` and no infinities.
const numberText = (cell: string): string => (/\d$/.test(cell) ? cell : JSON.stringify(cell));
const exactText = (cell: string): string => `"${cell}"`;

const writers: Record<ColumnType, (cell: string) => string> = {
  text: (cell) => JSON.stringify(cell),
  // As text: a float would round it.
  usd: exactText,
  decimal: exactText,
  number: numberText,
  integer: numberText,
  moment: (cell) => `"${isoMoment(cell)}"`,
  boolean: (cell) => String(isTrue(cell)),
};
