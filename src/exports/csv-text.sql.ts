import { literal } from '../database/sql-literal.ts';
import type { CsvDialect, ExportColumn } from './export-column.ts';

/**
 * SQL of a COPY that writes a query's rows as CSV lines without a head: the database makes the text, so that a million rows
 * are never objects here. Lines end in LF, text is not disarmed, numbers have points and moments of UTC are as the database
 * writes them: `csv-bytes.ts` of exports finishes what it gives.
 */
export function csvCopySql(query: string, columns: readonly ExportColumn[], dialect: CsvDialect): string {
  const cells = columns.map(({ name, type }) => `${cellSql(`"${name}"`, type, dialect)} as "${name}"`);
  return `copy (select ${cells.join(', ')} from (${query}) as line) to stdout (format csv, delimiter '${dialect.delimiter}')`;
}

function cellSql(value: string, type: ExportColumn['type'], dialect: CsvDialect): string {
  if (type === 'moment') return momentSql(value, dialect);
  if (type === 'boolean') return `case when ${value} then 'true' when not ${value} then 'false' end`;
  return value;
}

function momentSql(value: string, { moments, timeZone }: CsvDialect): string {
  const zone = literal(timeZone);
  if (moments === 'sheet') return `date_trunc('second', ${value} at time zone ${zone})`;
  if (timeZone === 'UTC') return value;
  return `replace((${value} at time zone ${zone})::text, ' ', 'T') || ${offsetSql(value, zone)}`;
}

/** `+01:00`. */
const offsetSql = (value: string, zone: string): string => {
  const minutes = `(extract(epoch from (${value} at time zone ${zone}) - (${value} at time zone 'UTC')) / 60)::integer`;
  return `case when ${minutes} < 0 then '-' else '+' end || lpad((abs(${minutes}) / 60)::text, 2, '0') || ':'
    || lpad((abs(${minutes}) % 60)::text, 2, '0')`;
};
