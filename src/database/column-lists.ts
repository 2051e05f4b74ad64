import type postgres from 'postgres';
import type { Db } from './connection.ts';

/** Quotes a name for SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Returns a comma-separated list of columns: of the row `of` if given, renamed with the prefix `as`. */
export function columnList(
  db: Db,
  names: readonly string[],
  { of, as }: { of?: string; as?: string } = {},
): postgres.Fragment {
  const column = (name: string): string =>
    of === undefined ? quoted(name) : `${quoted(of)}.${quoted(name)}`;
  const list = names.map((name) =>
    as === undefined ? column(name) : `${column(name)} as ${quoted(as + name)}`,
  );
  return db.unsafe(list.join(', '));
}

/** Returns the assignments of an update: each column from the row `from`. */
export const assignments = (db: Db, names: readonly string[], from: string): postgres.Fragment =>
  db.unsafe(names.map((name) => `${quoted(name)} = ${quoted(from)}.${quoted(name)}`).join(', '));

/** Returns the assignments of an update that empties columns. */
export const emptied = (db: Db, names: readonly string[]): postgres.Fragment =>
  db.unsafe(names.map((name) => `${quoted(name)} = null`).join(', '));

/** SQL that is true if two rows differ in any of the columns. */
export const differIn = (db: Db, names: readonly string[], a: string, b: string): postgres.Fragment =>
  db`(${columnList(db, names, { of: a })}) is distinct from (${columnList(db, names, { of: b })})`;
