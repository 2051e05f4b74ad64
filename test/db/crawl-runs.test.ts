import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { closeInterruptedRuns, finishRun, startRun } from '../../src/db/crawl-runs.ts';
import { explainDatabaseFailure } from '../../src/db/failure.ts';
import { ensureMarket } from '../../src/db/markets.ts';
import { createTestDatabase } from '../support/test-database.ts';

describe('runs that never ended', () => {
  it('are failed once they are older than any crawl can be; younger and ended ones are left alone', async () => {
    const { sql } = await createTestDatabase();
    const { id: marketId } = await ensureMarket(sql, 'market', 'live');
    const begin = async (startedAt: string): Promise<string> => {
      const id = uuidv7();
      const run = { id, marketId, scopeName: 'default', type: 'bid' as const, cause: 'cron' as const };
      await startRun(sql, { ...run, startedAt: new Date(startedAt) });
      return id;
    };
    const old = await begin('2026-03-10T10:00:00Z');
    const young = await begin('2026-03-10T13:30:00Z');
    const ended = await begin('2026-03-10T09:00:00Z');
    const end = { outcome: 'failed', reason: 'no answer', certificate: null, bookId: null } as const;
    await finishRun(sql, ended, { ...end, endedAt: new Date('2026-03-10T09:01:00Z') });
    expect(await closeInterruptedRuns(sql, marketId, new Date('2026-03-10T12:00:00Z'))).toBe(1);
    const rows = await sql<{ id: string; reason: string | null }[]>`select id, reason from crawl_run`;
    const reasons = new Map(rows.map(({ id, reason }) => [id, reason]));
    expect(reasons.get(old)).toMatch(/^interrupted/);
    expect(reasons.get(young)).toBeNull();
    expect(reasons.get(ended)).toBe('no answer');
  });
});

describe('an error of the database in one sentence', () => {
  it('says that the disk is full, that it does not answer, or what it refused; nothing of others', async () => {
    const { sql } = await createTestDatabase();
    const failure = async (sqlState: string): Promise<string | null> => {
      const raise = `do $$ begin raise exception 'made up' using errcode = '${sqlState}'; end $$`;
      return explainDatabaseFailure(await sql.unsafe(raise).catch((error: unknown) => error));
    };
    expect(await failure('53100')).toMatch(/disk .* is full: free space/);
    expect(await failure('57P01')).toMatch(/does not answer \(57P01\): start it/);
    expect(await failure('23505')).toMatch(/refused a statement \(23505: made up\)/);
    expect(explainDatabaseFailure(Object.assign(new Error('x'), { code: 'ERR_SOMETHING' }))).toBeNull();
    expect(explainDatabaseFailure(new Error('x'))).toBeNull();
  });
});
