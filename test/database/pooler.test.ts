import { describe, expect, it } from 'vitest';
import { connect, type Db } from '../../src/database/connection.ts';
import { examinePooler } from '../../src/database/examine-pooler.ts';
import { createTestDatabase, databaseUrl } from '../support/test-database.ts';

const settingsOf = async (db: Db): Promise<string[]> => {
  const [row] = await db<{ values: string[] }[]>`
    select array[current_setting('TimeZone'), current_setting('random_page_cost'),
      current_setting('idle_in_transaction_session_timeout')] as values`;
  return row?.values ?? [];
};

describe('an address of PostgreSQL', () => {
  it('is told from one of a pooler', async () => {
    const url = databaseUrl((await createTestDatabase()).target);
    expect(await examinePooler(url, { setting: 'DATABASE_URL' })).toEqual({ url });
    // A server that does not answer is left to the start itself.
    const nowhere = 'postgres://nobody@127.0.0.1:1/nothing';
    expect(await examinePooler(nowhere, { setting: 'DATABASE_URL' })).toEqual({ url: nowhere });
  });

  it('gives sessions of one kind through a pooler too, which takes no settings at their start', async () => {
    const url = databaseUrl((await createTestDatabase()).target);
    for (const isPooled of [false, true]) {
      const sql = connect({ url, isPooled }, { max: 1 });
      const reserved = await sql.reserve();
      expect(await settingsOf(reserved)).toEqual(['UTC', '1.1', '20s']);
      reserved.release();
      // Single queries keep the planner's settings of the role: docs/guides/scale-out.md.
      expect(await settingsOf(sql)).toEqual(['UTC', expect.any(String), '0']);
      await sql.end();
    }
  });
});
