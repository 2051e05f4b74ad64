import type postgres from 'postgres';
import type { Db } from './connection.ts';

/** SQL of the rows behind a page's last row, by the key of their order; null: all rows. */
export function behind(
  db: Db,
  key: string,
  order: 'ascending' | 'descending',
  last: string | null,
): postgres.Fragment {
  if (last === null) return db`true`;
  return order === 'ascending' ? db`${db(key)} > ${last}` : db`${db(key)} < ${last}`;
}

/**
 * SQL of the rows behind a page's last row, in the order by moment, then id, both descending. `last` is the id of a row
 * of `table`; null: all rows.
 */
export function behindRow(
  db: Db,
  { table, alias, moment }: { table: string; alias: string; moment: string },
  last: string | number | null,
): postgres.Fragment {
  if (last === null) return db`true`;
  return db`(${db(`${alias}.${moment}`)}, ${db(`${alias}.id`)}) < (select ${db(moment)}, id from ${db(table)} where id = ${last})`;
}
