import type postgres from 'postgres';
import { quoted } from './column-lists.ts';
import type { Db } from './connection.ts';

type SqlValue = string | number | Date | null;

/**
 * A tag that turns a template into SQL: the driver's, with parameters, or `sqlText`. SQL written for either serves
 * queries and exports alike.
 */
export interface SqlTag<Made> {
  (template: TemplateStringsArray, ...values: readonly (Made | SqlValue)[]): Made;
  /** Quotes a column by its name. */
  column(name: string): Made;
}

/** The driver's tag: every value is a parameter. */
export const withParameters = (db: Db): SqlTag<postgres.Fragment> =>
  Object.assign(
    (template: TemplateStringsArray, ...values: readonly unknown[]) => db(template, ...(values as never[])),
    { column: (name: string) => db(name) as unknown as postgres.Fragment },
  );

/** SQL that is complete as it is. */
export interface SqlText {
  readonly text: string;
}

/** The tag for a COPY, which takes no parameters: every value is written into the text. */
export const sqlText: SqlTag<SqlText> = Object.assign(
  (template: TemplateStringsArray, ...values: readonly (SqlText | SqlValue)[]): SqlText => ({
    text: template.reduce((text, piece, index) => {
      const value = values[index - 1] ?? null;
      return text + (isSqlText(value) ? value.text : literal(value)) + piece;
    }),
  }),
  { column: (name: string): SqlText => ({ text: quoted(name) }) },
);

const isSqlText = (value: SqlText | SqlValue): value is SqlText =>
  typeof value === 'object' && value !== null && 'text' in value;

/**
 * Returns a value as SQL text, for statements without parameters (COPY). Throws for text that PostgreSQL cannot store.
 */
export function literal(value: SqlValue): string {
  if (value === null) return 'null';
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`${value} is no number of SQL`);
    return String(value);
  }
  if (value instanceof Date) return `'${value.toISOString()}'::timestamptz`;
  if (value.includes('\0')) throw new Error('text with U+0000 cannot be a value of SQL');
  return `'${value.replaceAll("'", "''")}'`;
}
