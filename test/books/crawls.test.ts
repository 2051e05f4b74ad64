import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import {
  closeInterruptedCrawls,
  finishCrawl,
  newestCrawlStart,
  startCrawl,
} from '../../src/books/crawls.sql.ts';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { explainDatabaseFailure } from '../../src/database/explain-failure.ts';
import { createTestDatabase } from '../support/test-database.ts';

describe('crawls that never ended', () => {
  it("are marked as failed by the process with the series' lock; other series, ended crawls and imports stay", async () => {
    const { sql } = await createTestDatabase();
    const { id: marketId } = await ensureMarket(sql, 'market', 'live');
    const begin = async (
      run: { type?: 'bid' | 'on-demand'; cause?: 'cron' | 'import' } = {},
    ): Promise<string> => {
      const id = uuidv7();
      const made = {
        id,
        marketId,
        scopeName: 'default',
        type: 'bid' as const,
        cause: 'cron' as const,
        ...run,
      };
      await startCrawl(sql, { ...made, startedAt: new Date() });
      return id;
    };
    const open = await begin();
    const otherType = await begin({ type: 'on-demand' });
    const imported = await begin({ cause: 'import' });
    const ended = await begin();
    const end = { outcome: 'failed', reason: 'no answer', certificate: null, bookId: null } as const;
    await finishCrawl(sql, ended, { ...end, endedAt: new Date() });
    const series = { marketId, kind: 'offers', scopeName: 'default', type: 'bid' as const };
    expect(await closeInterruptedCrawls(sql, series)).toBe(1);
    // What its process says afterwards comes too late.
    await finishCrawl(sql, open, { ...end, endedAt: new Date() });
    const rows = await sql<{ id: string; reason: string | null }[]>`select id, reason from crawl`;
    const reasons = new Map(rows.map(({ id, reason }) => [id, reason]));
    expect(reasons.get(open)).toMatch(/^interrupted/);
    expect([reasons.get(otherType), reasons.get(imported)]).toEqual([null, null]);
    expect(reasons.get(ended)).toBe('no answer');
  });
});

describe('the newest crawl of a series', () => {
  it('is the one that began last by the clock, not one that a clock ahead dated into the future', async () => {
    const { sql } = await createTestDatabase();
    const { id: marketId } = await ensureMarket(sql, 'market', 'live');
    const series = { marketId, kind: 'offers', scopeName: 'default', type: 'bid' as const };
    const now = new Date('2026-03-05T10:00:00Z');
    const store = async (startedAt: Date) => {
      const id = uuidv7();
      await startCrawl(sql, { ...series, id, cause: 'cron', startedAt });
      const end = { outcome: 'unchanged', reason: null, certificate: null, bookId: null } as const;
      await finishCrawl(sql, id, { ...end, endedAt: startedAt });
    };
    await store(new Date('2026-03-05T11:00:00Z'));
    expect(await newestCrawlStart(sql, series, now)).toBeNull();
    const begun = new Date('2026-03-05T09:55:00Z');
    await store(begun);
    expect(await newestCrawlStart(sql, series, now)).toEqual(begun);
  });
});

describe('a database error in one sentence', () => {
  it('says that the disk is full, that the database does not answer, or what it refused', async () => {
    const { sql } = await createTestDatabase();
    const failure = async (sqlState: string): Promise<string | null> => {
      const raise = `do $$ begin raise exception 'made up' using errcode = '${sqlState}'; end $$`;
      return explainDatabaseFailure(await sql.unsafe(raise).catch((error: unknown) => error));
    };
    expect(await failure('53100')).toMatch(/disk .* is full: free some space/);
    expect(await failure('57P01')).toMatch(/does not answer \(57P01\): start it/);
    expect(await failure('23505')).toMatch(/refused a statement \(23505: made up\)/);
    expect(explainDatabaseFailure(Object.assign(new Error('x'), { code: 'ERR_SOMETHING' }))).toBeNull();
    expect(explainDatabaseFailure(new Error('x'))).toBeNull();
  });
});
