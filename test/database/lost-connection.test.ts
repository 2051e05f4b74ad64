import { expect, it } from 'vitest';
import { connect } from '../../src/database/connection.ts';
import { startDatabaseWay } from '../support/database-way.ts';
import { createTestDatabase } from '../support/test-database.ts';

it('a query on a breaking connection is answered or rejected, and later ones get their own answers', async () => {
  const { target, sql: beside } = await createTestDatabase();
  const way = await startDatabaseWay(target);
  const sql = connect({ url: way.url }, { max: 1 });
  const ask = async (what: string): Promise<string> => {
    const [row] = await sql<{ what: string }[]>`select ${what}::text as what`;
    return row?.what ?? '';
  };
  const sleepers = async (): Promise<number> => {
    const rows =
      await beside`select from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'
      and datname = current_database()`;
    return rows.length;
  };
  for (let round = 0; round < 3; round += 1) {
    expect(await ask('before')).toBe('before');
    const slow = sql`select pg_sleep(600)`.then(
      () => 'done',
      // At once, as a caller does that tries again: the driver still takes the connection for a good one.
      async (error: { code: string }) =>
        await Promise.all([error.code, ...['a', 'b'].map((what) => ask(what).catch(() => 'rejected'))]),
    );
    await expect.poll(sleepers).toBe(round + 1);
    way.reset();
    const [code, ...asked] = await slow;
    expect(code).toMatch(/^(ECONNRESET|EPIPE|CONNECTION_CLOSED)$/);
    for (const [index, answer] of asked.entries()) expect(['rejected', ['a', 'b'][index]]).toContain(answer);
    const later = ['c', 'd', 'e'];
    expect(await Promise.all(later.map(ask))).toEqual(later);
  }
  await sql.end({ timeout: 0 });
});
