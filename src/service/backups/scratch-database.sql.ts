import type { DatabaseTarget, Sql } from '../../database/connection.ts';

/** Why no scratch database can be made; null: it can. */
export async function whyNoScratch(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ may: boolean; role: string }[]>`
    select rolcreatedb or rolsuper as may, current_user as role from pg_roles where rolname = current_user`;
  return row?.may === true ? null : `the role ${row?.role ?? ''} may not create databases`;
}

/** Makes the scratch database of this database, empty. Returns where it is. */
export async function makeScratch(sql: Sql, target: DatabaseTarget): Promise<DatabaseTarget> {
  const name = await nameOf(sql);
  const [own] = await sql<{ encoding: string }[]>`
    select pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()`;
  await sql`create database ${sql(name)} template template0 encoding ${sql(own?.encoding ?? 'UTF8')}`;
  return inDatabase(target, name);
}

/** Drops the scratch database of this database, also one that a killed process has left; does nothing without one. */
export async function dropScratch(sql: Sql): Promise<void> {
  const name = await nameOf(sql);
  const [left] = await sql`select from pg_database where datname = ${name}`;
  if (left !== undefined) await sql`drop database if exists ${sql(name)} with (force)`;
}

/** Returns how many rows each of these tables has. */
export async function countRows(sql: Sql, tables: Iterable<string>): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const table of tables) {
    const [row] = await sql<{ rows: number }[]>`select count(*) as rows from ${sql(table)}`;
    counts.set(table, row?.rows ?? 0);
  }
  return counts;
}

/** One name for each database of a server, so that a scratch database that was left there is found again. */
async function nameOf(sql: Sql): Promise<string> {
  const [row] = await sql<{ oid: number }[]>`
    select oid::int8 as oid from pg_database where datname = current_database()`;
  return `offerbook_backup_check_${row?.oid ?? 0}`;
}

function inDatabase(target: DatabaseTarget, database: string): DatabaseTarget {
  if (!('url' in target)) return { ...target, database };
  const url = new URL(target.url);
  url.pathname = `/${database}`;
  return { url: url.href };
}
