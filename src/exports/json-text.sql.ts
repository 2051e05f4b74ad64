import type { ExportColumn } from './export-column.ts';

/**
 * SQL of a COPY that writes a query's rows as JSON objects, one a line. Its quote and delimiter are characters that
 * JSON text never holds, so that nothing is quoted.
 */
export function jsonCopySql(query: string, columns: readonly ExportColumn[]): string {
  const fields = columns.map(({ name, type }) => `${cellSql(`"${name}"`, type)} as "${name}"`);
  return `copy (select row_to_json(line)::text from (select ${fields.join(', ')} from (${query}) as line) as line)
    to stdout (format csv, delimiter E'\\x01', quote E'\\x02')`;
}

function cellSql(value: string, type: ExportColumn['type']): string {
  // As text: a reader's floats would round it.
  if (type === 'usd' || type === 'decimal') return `${value}::text`;
  if (type === 'moment') return `replace(replace(${value}::text, ' ', 'T'), '+00', 'Z')`;
  return value;
}
