import type { Sql } from '../../src/database/connection.ts';

/** Every row of every table of the program, as text, a line each: to search, and to compare. */
export async function databaseText(sql: Sql): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`;
  const lines: string[] = [];
  for (const { name } of tables) {
    const rows = await sql<{ row: string }[]>`select whole::text as row from ${sql(name)} whole order by 1`;
    lines.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return lines.join('\n');
}
