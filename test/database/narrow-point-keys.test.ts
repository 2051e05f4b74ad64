import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ensureMarket, ensureScope } from '../../src/books/markets.sql.ts';
import { pointTables } from '../../src/database/month-partitions.ts';
import { createTestDatabase } from '../support/test-database.ts';

const folder = fileURLToPath(new URL('../../migrations/', import.meta.url));

function statementsOf(name: string): string[] {
  const file = readdirSync(folder).find((each) => each.endsWith(`_${name}.sql`)) ?? '';
  return readFileSync(join(folder, file), 'utf8').split('--> statement-breakpoint');
}

const figures = `p.t, min, p10, p25, median, p75, p90, max, books, observations, offers, gpus, machines, physical_gpus,
  physical_gpus_is_lower_bound`;

it('statistics stored before cells had ids keep every figure, month and key', async () => {
  const { sql } = await createTestDatabase();
  const { id: marketId } = await ensureMarket(sql, 'older', 'live');
  const scopes = [await ensureScope(sql, marketId, 'default'), await ensureScope(sql, marketId, 'rented')];
  const deleted = 9_999;
  const db = await sql.reserve();
  await db`create schema older`;
  await db`set search_path = older, public`;
  for (const statement of statementsOf('history_at_scale')) {
    if (/CREATE TABLE "\w+_point"/.test(statement)) await db.unsafe(statement);
  }
  for (const table of pointTables) {
    for (const [month, from, to] of [
      ['2026_01', '2026-01-01Z', '2026-02-01Z'],
      ['2026_02', '2026-02-01Z', '2026-03-01Z'],
    ] as const) {
      const partition = `${table}_${month}`;
      await db.unsafe(`create table ${partition} (like ${table} including all);
        alter table ${table} attach partition ${partition} for values from ('${from}') to ('${to}')`);
    }
    await db`
      insert into ${db(table)} (t, min, median, max, scope_id, type, books, observations, offers, gpus, machines,
        physical_gpus, gpu_model_id, num_gpus, verification_tier_id, physical_gpus_is_lower_bound)
      select '2026-01-25Z'::timestamptz + n * interval '1 day', nullif(n, 3), n / 7.0, n * 2, scope, type, 1, n, n + 1,
        n + 2, n + 3, n + 4, model, model * 2, -1, n % 2 = 0
      from generate_series(1, 12) n, unnest(${[...scopes, deleted]}::int[]) scope,
        unnest(array['on-demand', 'bid']::pricing_type[]) type, generate_series(0, 2) model`;
  }
  const read = async (table: string, from: string) => {
    const rows = await db.unsafe(`select scope_id, type, gpu_model_id, num_gpus, verification_tier_id,
      p.tableoid::regclass::text as month, ${figures} from ${table} p ${from} order by 1, 2, 3, 4, 5, p.t`);
    return rows.map((row) => ({ ...row }));
  };
  const before = new Map<string, unknown[]>();
  for (const table of pointTables) before.set(table, await read(table, `where scope_id <> ${deleted}`));
  for (const statement of statementsOf('narrow_point_keys')) await db.unsafe(statement);
  for (const table of pointTables) {
    const rows = await read(table, 'join point_cell c on c.id = p.cell_id');
    expect(rows).toHaveLength(2 * 2 * 3 * 12);
    expect(rows).toEqual(before.get(table));
    const keys = await db<{ name: string }[]>`
      select conname as name from pg_constraint where contype = 'p' and connamespace = 'older'::regnamespace
        and conrelid in (select inhrelid from pg_inherits where inhparent = ${table}::regclass) order by 1`;
    expect(keys.map(({ name }) => name)).toEqual([`${table}_2026_01_pkey`, `${table}_2026_02_pkey`]);
  }
  await db`reset search_path`;
  db.release();
});
