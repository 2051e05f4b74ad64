import { type CsvDialect, type ExportColumn, formulaStarts } from '../../domain/export-column.ts';
import { literal } from '../sql-literal.ts';

/**
 * SQL of a COPY that writes a query's rows as CSV lines without a head, each value as `csv.ts` of exports would write
 * it: the database makes the text, so that a million rows are never objects here. Lines end in LF.
 */
export function csvCopySql(query: string, columns: readonly ExportColumn[], dialect: CsvDialect): string {
  const cells = columns.map(({ name, type }) => `${cellSql(`"${name}"`, type, dialect)} as "${name}"`);
  return `copy (select ${cells.join(', ')} from (${query}) as line) to stdout (format csv, delimiter '${dialect.delimiter}')`;
}

const starts = formulaStarts.map((start) => start.codePointAt(0)).join(', ');

function cellSql(value: string, type: ExportColumn['type'], dialect: CsvDialect): string {
  switch (type) {
    case 'text':
      return `case when ascii(${value}) in (${starts}) then '''' || ${value} else ${value} end`;
    case 'usd':
    case 'decimal':
    case 'number':
      return dialect.decimal === '.' ? value : `replace(${value}::text, '.', ',')`;
    case 'moment':
      return momentSql(value, dialect);
    case 'boolean':
      return `case when ${value} then 'true' when not ${value} then 'false' end`;
    case 'integer':
      return value;
  }
}

function momentSql(value: string, { moments, timeZone }: CsvDialect): string {
  const zone = literal(timeZone);
  if (moments === 'sheet') return `date_trunc('second', ${value} at time zone ${zone})`;
  // The session's zone is UTC: its text needs only its marks changed, which is many times faster than to_char.
  if (timeZone === 'UTC') return `replace(replace(${value}::text, ' ', 'T'), '+00', 'Z')`;
  return `replace((${value} at time zone ${zone})::text, ' ', 'T') || ${offsetSql(value, zone)}`;
}

/** `+01:00`. */
const offsetSql = (value: string, zone: string): string => {
  const minutes = `(extract(epoch from (${value} at time zone ${zone}) - (${value} at time zone 'UTC')) / 60)::integer`;
  return `case when ${minutes} < 0 then '-' else '+' end || lpad((abs(${minutes}) / 60)::text, 2, '0') || ':'
    || lpad((abs(${minutes}) % 60)::text, 2, '0')`;
};
