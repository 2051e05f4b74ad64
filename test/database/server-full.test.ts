import { afterEach, describe, expect, it } from 'vitest';
import { connect, type Sql } from '../../src/database/connection.ts';
import { explainDatabaseFailure } from '../../src/database/explain-failure.ts';
import { createLimitedRole } from '../support/limited-role.ts';
import { createTestDatabase } from '../support/test-database.ts';

const { sql: admin } = await createTestDatabase();
const opened: Sql[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((sql) => sql.end({ timeout: 1 })));
});

function open(...args: Parameters<typeof connect>): Sql {
  const sql = connect(...args);
  opened.push(sql);
  return sql;
}

describe('while the server has no connection left', () => {
  it('a query and a transaction wait for a free one and then run', async () => {
    const target = await createLimitedRole(admin, 1);
    for (const ask of [
      async (sql: Sql) => (await sql<{ one: number }[]>`select 1 as one`)[0]?.one,
      async (sql: Sql) =>
        await sql.begin(async (tx) => (await tx<{ one: number }[]>`select 1 as one`)[0]?.one),
    ]) {
      const hog = open(target, { max: 1 });
      await hog`select 1`;
      const answer = ask(open(target, { max: 2 }));
      answer.catch(() => {});
      setTimeout(() => void hog.end({ timeout: 0 }), 200);
      expect(await answer).toBe(1);
      await Promise.all(opened.splice(0).map((sql) => sql.end({ timeout: 1 })));
    }
  });

  it('both are refused with a reason after a while, and recover by themselves', async () => {
    const target = await createLimitedRole(admin, 1);
    const hog = open(target, { max: 1 });
    await hog`select 1`;
    const sql = open(target, { max: 2 });
    const refused = async (work: Promise<unknown>): Promise<string | null> =>
      await work.then(
        () => 'accepted',
        (error: unknown) => explainDatabaseFailure(error),
      );
    const words =
      /^PostgreSQL accepts no more connections \(max_connections\): lower DATABASE_POOL_SIZE or raise/;
    expect(await refused(Promise.resolve(sql`select 1`))).toMatch(words);
    expect(await refused(sql.begin(async (tx) => await tx`select 1`))).toMatch(words);
    await hog.end({ timeout: 0 });
    expect(await refused(sql.begin(async (tx) => await tx`select 1`))).toBe('accepted');
  });

  it('queries share the connection that the process has, however many arrive at once', async () => {
    const target = await createLimitedRole(admin, 1);
    const sql = open(target, { max: 4 });
    await sql`select 1`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => (await sql<{ i: number }[]>`select ${i}::int as i`)[0]?.i),
    );
    expect(answers).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });
});

it('connections opened for many queries at once are closed, except one', async () => {
  const { sql: beside, target } = await createTestDatabase();
  const sql = open(target, { max: 6, applicationName: 'many at once' });
  const count = async (): Promise<number> =>
    (await beside`select from pg_stat_activity where application_name = 'many at once'`).length;
  await Promise.all(Array.from({ length: 12 }, async () => await sql`select pg_sleep(0.3)`));
  expect(await count()).toBe(6);
  // A process that looks for work every moment uses one of them, not each in turn.
  await expect
    .poll(
      async () => {
        await sql`select 1`;
        return await count();
      },
      { interval: 200, timeout: 60_000 },
    )
    .toBe(1);
});
