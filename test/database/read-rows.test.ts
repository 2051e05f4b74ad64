import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sql } from '../../src/database/connection.ts';
import { inSnapshot, readRows } from '../../src/database/snapshot.sql.ts';
import { literal } from '../../src/database/sql-text.ts';
import { hostileStrings } from '../support/hostile-strings.ts';
import { createTestDatabase } from '../support/test-database.ts';

let sql: Sql;

beforeAll(async () => {
  ({ sql } = await createTestDatabase());
});

afterAll(() => sql.end());

async function rowsOf(query: string): Promise<(string | null)[][]> {
  const { signal } = new AbortController();
  const rows: (string | null)[][] = [];
  for await (const group of inSnapshot(sql, signal, (snapshot) => readRows(snapshot, query)))
    for (const row of group) rows.push([...row]);
  return rows;
}

const awkward = [...hostileStrings, '\\N', '\\', '\\\\n', '\b\f\v', 'a\tb\nc\rd', '', null, '＝1', '👩'];

it('text is unchanged, in any number of chunks', async () => {
  // Some hundreds of KB: they come in several pieces.
  const texts = Array.from({ length: 300 }, (_, round) =>
    awkward.map((text) => (text === null ? null : text + '👩'.repeat(round))),
  ).flat();
  const values = texts.map((text, index) => `(${index}, ${literal(text)}::text, ${literal(text)}::text)`);
  const rows = await rowsOf(
    `select a, b from (values ${values.join(', ')}) as t (place, a, b) order by place`,
  );
  expect(rows).toHaveLength(texts.length);
  expect(rows).toEqual(texts.map((text) => [text, text]));
});

it('other values are as PostgreSQL writes them', async () => {
  const query = `select 1.50::numeric, 7, true, timestamptz '2026-03-28 23:00:00.123456+01', null::text`;
  expect(await rowsOf(query)).toEqual([['1.50', '7', 't', '2026-03-28 22:00:00.123456+00', null]]);
  expect(await rowsOf('select 1 where false')).toEqual([]);
});
