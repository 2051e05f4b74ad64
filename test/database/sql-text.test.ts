import { describe, expect, it } from 'vitest';
import { literal, type SqlTag, sqlText, withParameters } from '../../src/database/sql-text.ts';
import { hostileStrings } from '../support/hostile-strings.ts';
import { createTestDatabase } from '../support/test-database.ts';

const { sql } = await createTestDatabase();

const echo = <Made>(tag: SqlTag<Made>, value: string, at: Date): Made =>
  tag`select ${value}::text as value, ${at}::timestamptz as at, (${tag`${1.5}::float8 + ${-1}`}) as sum, ${null}::int as none`;

describe('one SQL template', () => {
  const at = new Date('2026-03-01T12:34:56.789Z');

  it.each(hostileStrings)('gives the same with parameters as in a text: %j', async (value) => {
    const expected = [{ value, at, sum: 0.5, none: null }];
    expect([...(await sql`${echo(withParameters(sql), value, at)}`)]).toEqual(expected);
    expect([...(await sql.unsafe(echo(sqlText, value, at).text))]).toEqual(expected);
  });
});

it('quotes a column name in a text as with parameters', async () => {
  const named = <Made>(tag: SqlTag<Made>): Made =>
    tag`select ${tag.column('group by "x"')} as value from (select 7 as ${tag.column('group by "x"')}) as row`;
  expect([...(await sql`${named(withParameters(sql))}`)]).toEqual([{ value: 7 }]);
  expect([...(await sql.unsafe(named(sqlText).text))]).toEqual([{ value: 7 }]);
});

it('refuses a text that PostgreSQL cannot store', () => {
  expect(() => literal('a\0b')).toThrow('U+0000');
  expect(() => sqlText`select ${Number.NaN}`).toThrow('no number');
  expect(() => literal(Number.POSITIVE_INFINITY)).toThrow('no number');
});
