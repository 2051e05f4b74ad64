import { expect, it } from 'vitest';
import { connect } from '../../src/database/connection.ts';
import { surviveLostConnections } from '../../src/database/survive-lost-connections.ts';
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

it('a lost connection for which nobody waits ends no process, and any other unhandled error does', () => {
  const listeners: ((error: unknown) => void)[] = [];
  const program = {
    on: (_: string, listener: (error: unknown) => void) => void listeners.push(listener),
  } as unknown as Pick<NodeJS.Process, 'on'>;
  surviveLostConnections(program);
  const [unhandled = () => {}] = listeners;
  const fail = (name: string, code: string) => () =>
    unhandled(Object.assign(new Error('server login has been failing'), { name, code }));
  for (const code of ['08P01', '57P01', '53300']) expect(fail('PostgresError', code)).not.toThrow();
  expect(fail('Error', 'CONNECTION_CLOSED')).not.toThrow();
  expect(fail('PostgresError', '42703')).toThrow('server login');
  expect(fail('Error', 'ERR_ASSERTION')).toThrow('server login');
});
