import type postgres from 'postgres';
import type { Db } from './connection.ts';

/** A name as SQL takes it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Columns with commas between them: of the row `of` where it is given, called what they are behind `as`. */
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

/** What an update sets: each column to that of the row `from`. */
export const assignments = (db: Db, names: readonly string[], from: string): postgres.Fragment =>
  db.unsafe(names.map((name) => `${quoted(name)} = ${quoted(from)}.${quoted(name)}`).join(', '));

/** SQL that is true where two rows differ in any of the columns. */
export const differIn = (db: Db, names: readonly string[], a: string, b: string): postgres.Fragment =>
  db`(${columnList(db, names, { of: a })}) is distinct from (${columnList(db, names, { of: b })})`;
