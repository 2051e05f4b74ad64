import type { Sql } from '../../src/database/connection.ts';

/** Tables that record attempts, not results. */
const protocols = ['crawl', 'schema_migration'];

/** Returns every table with its number of rows and a hash of them, except tables that record failed attempts. */
export async function digestDatabase(sql: Sql): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname <> all(${protocols}) order by 1`;
  const parts = tables.map(
    ({ name }) =>
      `select '${name} ' || count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as line
       from "${name}" t`,
  );
  if (parts.length === 0) return '';
  const lines = await sql.unsafe<{ line: string }[]>(parts.join(' union all '));
  return lines
    .map(({ line }) => line)
    .sort()
    .join('\n');
}

/** Returns the objects in a database other than PostgreSQL's own, by name. */
export async function listRelations(sql: Sql): Promise<string[]> {
  const found = await sql<{ name: string }[]>`
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname <> 'information_schema' and not starts_with(n.nspname, 'pg_') order by 1`;
  return found.map(({ name }) => name);
}

/** Empties the database completely, including its schema. */
export async function emptyDatabase(sql: Sql): Promise<void> {
  await sql.unsafe('drop schema if exists offerbook_jobs cascade');
  await sql.unsafe('drop schema public cascade');
  await sql.unsafe('create schema public');
}
