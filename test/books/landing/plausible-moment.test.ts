import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLanding } from '../../../src/books/landing/land-book.sql.ts';
import { ensureMarket, type MarketKind } from '../../../src/books/markets.sql.ts';
import { dropOldPoints } from '../../../src/books/old-statistics.sql.ts';
import { blankCertificate, complete } from '../../../src/core/coverage.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { pointStatistics } from '../../../src/prices/statistics/point-statistics.ts';
import { examineClock } from '../../../src/service/commands/clock-finding.ts';
import { describeStatus } from '../../../src/service/commands/status.command.ts';
import { loadConfig } from '../../../src/service/config.ts';
import type { StatusAnswer } from '../../../src/service/http/status.routes.ts';
import { makeOffer } from '../../prices/made-offers.ts';
import { readLines } from '../../prices/recorded-records.ts';
import { hasRecordedData, marketBookFiles } from '../../support/recorded-data.ts';
import { createTestContext, runInProcess } from '../../support/run-in-process.ts';
import { createTestApp } from '../../support/test-app.ts';
import { createTestDatabase, databaseUrl } from '../../support/test-database.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

async function land(sql: Sql, marketId: number, observedAt: Date): Promise<void> {
  const options = {
    marketId,
    scopeName: 'default',
    type: 'on-demand',
    allocatedStorageGb: 8,
    statistics: pointStatistics,
  } as const;
  const landing = await openLanding(sql, options);
  try {
    await landing.stage([makeOffer(1, {})]);
    const certificate = { ...blankCertificate('id'), rows: 1, accepted: 1 };
    await landing.land({ observedAt, startedAt: observedAt, coverage: complete('proved'), certificate });
  } finally {
    await landing.close();
  }
}

/** The clock of the database, which may be another than this machine's. */
async function clockOf(sql: Sql): Promise<number> {
  const [row] = await sql<{ now: Date }[]>`select now()`;
  return row?.now.getTime() ?? 0;
}

describe('the moment of a book', () => {
  const kinds: [MarketKind, number, number][] = [
    ['live', 9 * minuteMs, 11 * minuteMs],
    ['simulated', 9 * minuteMs, 11 * minuteMs],
    ['recorded', dayMs - minuteMs, dayMs + minuteMs],
  ];
  it.each(kinds)("of a %s market cannot be far ahead of the database's clock", async (kind, near, far) => {
    const { sql } = await createTestDatabase();
    const { id } = await ensureMarket(sql, 'a-market', kind);
    const now = await clockOf(sql);
    await land(sql, id, new Date(now + near));
    await expect(land(sql, id, new Date(now + far))).rejects.toThrow(/ahead/);
    expect(await sql`select from book`).toHaveLength(1);
  });

  it('cannot be before 2015', async () => {
    const { sql } = await createTestDatabase();
    const { id } = await ensureMarket(sql, 'a-market', 'recorded');
    await expect(land(sql, id, new Date('2014-12-31T23:59:59Z'))).rejects.toThrow(
      /books from before 2015 are not accepted/,
    );
    await land(sql, id, new Date('2015-01-01T00:00:00Z'));
  });

  it.skipIf(!hasRecordedData).each([
    ['2099-01-01T00:00:00Z', /ahead/],
    ['1999-01-01T00:00:00Z', /before 2015/],
    ['2026-02-30T00:00:00Z', /is not a valid time/],
    ['2026-13-01T00:00:00Z', /is not a valid time/],
  ])('of an imported file is refused with a reason: %s', async (scrapedAt, words) => {
    const folder = await mkdtemp(join(tmpdir(), 'offerbook-moment-'));
    try {
      const { sql, target } = await createTestDatabase();
      const file = join(folder, 'book.jsonl');
      const [record] = readLines(marketBookFiles.slice(0, 1));
      await writeFile(file, `${JSON.stringify({ ...record, scraped_at: scrapedAt })}\n`);
      const config = loadConfig({ DATABASE_URL: databaseUrl(target), DATA_DIR: join(folder, 'data') });
      const { code, notes } = await runInProcess(['import', file], config);
      expect([code, notes.join()]).toEqual([1, expect.stringMatching(words)]);
      expect(await sql`select from book`).toEqual([]);
      const dated = await runInProcess(['import', file, '--observed-at', '2026-02-30T00:00:00Z'], config);
      expect([dated.code, dated.notes.join()]).toEqual([
        2,
        expect.stringMatching(/a time that the calendar has/),
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('that an earlier version accepted ahead of the clock deletes no history, and makes the service not ready', async () => {
    const { sql, app, market, clock, json, target } = await createTestApp({}, 'live');
    clock.now = new Date(await clockOf(sql));
    await land(sql, market.id, new Date(clock.now.getTime() - 2 * 3_600_000));
    await land(sql, market.id, new Date(clock.now.getTime() - 3_600_000));
    await sql`update book set observed_at = '2099-01-01T00:00:00Z'
      where observed_at = (select max(observed_at) from book)`;
    const points = async () => (await sql`select from book_point`).length;
    const before = await points();
    expect(before).toBeGreaterThan(0);
    await dropOldPoints(sql, { pointsDays: 14, hoursDays: 400 });
    expect(await points()).toBe(before);
    const answer = await app.request('/readyz');
    expect([answer.status, ((await answer.json()) as { type: string }).type]).toEqual([
      503,
      '/api/docs#book-ahead',
    ]);
    const words = describeStatus(await json<StatusAnswer>('/api/status'), clock.now);
    expect(words).toMatch(/^Newest complete book +ahead of the clock *$/m);
    expect(words).toMatch(
      /^The market .* dated 2099-01-01T00:00:00.000Z, ahead of the clock.*correct it\.$/m,
    );
    const context = createTestContext(loadConfig({ DATABASE_URL: databaseUrl(target) }), {
      ...{ code: 0, stdout: '', notes: [] },
    });
    expect(await examineClock(context, clock.now)).toMatchObject([
      { subject: 'clock', status: 'failed', measured: { newest: '2099-01-01T00:00:00.000Z' } },
    ]);
    expect(await examineClock(context, new Date('2099-01-01T00:00:00Z'))).toEqual([]);
  });
});
