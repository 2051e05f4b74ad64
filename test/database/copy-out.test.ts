import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { Sql } from '../../src/database/connection.ts';
import { copyOut, inSnapshot } from '../../src/database/snapshot.sql.ts';
import { createTestDatabase } from '../support/test-database.ts';

async function copyBackend(sql: Sql, rows: number): Promise<string[]> {
  const statement = `copy (select pg_backend_pid() from generate_series(1, ${rows})) to stdout`;
  const pieces = inSnapshot(sql, new AbortController().signal, (snapshot) => copyOut(snapshot, statement));
  return (await buffer(pieces)).toString().trim().split('\n');
}

it('a copy returns all rows and leaves its connection usable', async () => {
  const { sql } = await createTestDatabase();
  const first = await copyBackend(sql, 50_000);
  expect(first).toHaveLength(50_000);
  expect(await copyBackend(sql, 1)).toEqual([first[0]]);
});
