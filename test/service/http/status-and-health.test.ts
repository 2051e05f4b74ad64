import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { finishCrawl, startCrawl } from '../../../src/books/crawls.sql.ts';
import { ensureMarket, type Market } from '../../../src/books/markets.sql.ts';
import type { PricingType } from '../../../src/core/offer.ts';
import { connect, type Sql } from '../../../src/database/connection.ts';
import { type InstancePoller, pollInstances } from '../../../src/rentals/instances/poll-instances.ts';
import { describeStatus } from '../../../src/service/commands/status.command.ts';
import type { ReadinessAnswer } from '../../../src/service/http/health.routes.ts';
import type { StatusAnswer } from '../../../src/service/http/status.routes.ts';
import { landOffers, makeOffer } from '../../prices/made-offers.ts';
import { type ListMarket, startListMarket } from '../../rentals/test-poller.ts';
import { startDatabaseWay } from '../../support/database-way.ts';
import { silentLog } from '../../support/silent-log.ts';
import { createTestApp, readProblem } from '../../support/test-app.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { addAttempt } from '../backups/made-database.ts';

const crawlId = '01900000-0000-7000-8000-000000000001';
const otherRunId = '01900000-0000-7000-8000-000000000002';

async function pollerOf(sql: Sql, market: ListMarket): Promise<Omit<InstancePoller, 'marketId'>> {
  return { sql, account: await startListMarket(market), log: silentLog, now: () => new Date() };
}

describe('GET /api/status', () => {
  it('reports market, books, crawls and current work', async () => {
    const test = await createTestApp(
      {
        ...{ seeding: () => ({ done: 3, total: 116 }), mode: async () => 'live', actionsEnabled: true },
        backups: { cron: '30 2 * * *', to: '/backups' },
      },
      'live',
    );
    const { sql, market } = test;
    await addAttempt(sql, 'good.gz', { startedAt: new Date('2026-07-30T02:29:00Z') });
    await addAttempt(sql, 'failed.gz', {
      ...{ startedAt: new Date('2026-07-30T02:30:00Z'), outcome: 'failed', reason: 'the disk was full' },
      checked: null,
    });
    const offers = [makeOffer(1), makeOffer(2, { gpuName: 'A100 SXM4' })];
    await landOffers(sql, market.id, '2026-07-31T00:30:00Z', offers);
    await landOffers(sql, market.id, '2026-07-31T01:30:00Z', offers.slice(0, 1), { verdict: 'partial' });
    await landOffers(sql, market.id, '2026-07-31T01:00:00Z', offers, { type: 'bid', verdict: 'partial' });
    const startedAt = new Date('2026-07-31T01:29:00Z');
    const before = { marketId: market.id, scopeName: 'default', type: 'bid', cause: 'cron' } as const;
    await startCrawl(sql, { ...before, id: otherRunId, startedAt: new Date('2026-07-31T01:00:00Z') });
    await finishCrawl(sql, otherRunId, {
      ...{ outcome: 'failed', reason: 'the market was down', certificate: null, bookId: null },
      endedAt: new Date('2026-07-31T01:05:00Z'),
    });
    await startCrawl(sql, {
      id: crawlId,
      marketId: market.id,
      scopeName: 'default',
      type: 'bid',
      cause: 'cron',
      startedAt,
    });
    expect(await test.json<StatusAnswer>('/api/status')).toEqual({
      trust: ['verification', 'reliability'],
      capabilities: {
        ...{ label: 'Vast.ai', types: ['on-demand', 'bid'], currencies: ['USD'] },
        ...{ account: true, bills: true },
      },
      version: '0.0.0-test',
      role: 'viewer',
      market: { name: 'test-market', kind: 'live' },
      mode: 'live',
      replica: null,
      gpuNames: ['A100 SXM4', 'RTX 4090'],
      types: ['on-demand', 'bid'],
      typesWithoutIndex: [],
      newestBooks: [
        { type: 'on-demand', observedAt: '2026-07-31T00:30:00.000Z', verdict: 'complete', offers: 2 },
        { type: 'bid', observedAt: '2026-07-31T01:00:00.000Z', verdict: 'partial', offers: 2 },
      ],
      dataAgeMinutes: 90,
      maxDataAgeMinutes: 180,
      lastCrawls: [
        {
          id: crawlId,
          type: 'bid',
          startedAt: startedAt.toISOString(),
          endedAt: null,
          outcome: null,
          reason: null,
        },
      ],
      lastEnded: [
        {
          type: 'bid',
          endedAt: '2026-07-31T01:05:00.000Z',
          outcome: 'failed',
          reason: 'the market was down',
        },
      ],
      markets: [
        {
          ...{ market: 'test-market', state: 'ready', detail: null },
          lastCompleteBook: { observedAt: '2026-07-31T00:30:00.000Z', ageMinutes: 90 },
          books: [{ type: 'on-demand', observedAt: '2026-07-31T00:30:00.000Z', ageMinutes: 90 }],
          lastEnded: [
            {
              type: 'bid',
              endedAt: '2026-07-31T01:05:00.000Z',
              outcome: 'failed',
              reason: 'the market was down',
            },
          ],
        },
      ],
      instances: null,
      seeding: { done: 3, total: 116 },
      backups: {
        ...{ cron: '30 2 * * *', place: '/backups', nextAt: '2026-07-31T02:30:00.000Z', isOverdue: true },
        lastGood: {
          name: 'good.gz',
          startedAt: '2026-07-30T02:29:00.000Z',
          bytes: 5_000,
          verified: 'restored',
        },
        lastFailure: { startedAt: '2026-07-30T02:30:00.000Z', reason: 'the disk was full' },
      },
      failedJobs: 0,
      jobs: { queued: 0, active: 0 },
      schedule: [],
      actions: { enabled: true },
    });
    const status = await test.json<StatusAnswer>('/api/status');
    expect(describeStatus(status, test.clock.now)).toMatch(/^First history +being made: book 3 of 116 *$/m);
    expect(describeStatus(status, test.clock.now)).toMatch(
      /Backups +last good one 2026-07-30 02:29 UTC \(23 h ago\), 5.0 kB, verified by a restore \(overdue\); failed 2026-07-30 02:30 UTC \(23 h ago\): the disk was full/,
    );
    const answer = await test.get('/metrics');
    const samples = (await answer.text()).split('\n').filter((line) => line.startsWith('offerbook_backup'));
    const unix = (at: string): number => Date.parse(at) / 1_000;
    expect(samples).toEqual([
      `offerbook_backup_last_success_timestamp_seconds ${unix('2026-07-30T02:29:00Z')}`,
      `offerbook_backup_last_restored_timestamp_seconds ${unix('2026-07-30T02:29:00Z')}`,
      'offerbook_backup_last_size_bytes 5000',
      'offerbook_backup_last_duration_seconds 7',
      `offerbook_backup_due_timestamp_seconds ${unix('2026-07-30T02:30:00Z')}`,
      'offerbook_backup_failures_total 1',
    ]);
  });

  it('counts the instances of the last poll by status, without those that are gone', async () => {
    const test = await createTestApp({}, 'live');
    const rows = [
      { id: 1, actual_status: 'running' },
      { id: 2, actual_status: 'running' },
      { id: 3, actual_status: null },
      { id: 4, actual_status: 'exited' },
    ];
    const listed = { rows };
    const poller = { ...(await pollerOf(test.sql, listed)), marketId: test.market.id };
    await pollInstances({ ...poller, now: () => test.clock.now }, { crawlId, cause: 'cron' });
    test.clock.now = new Date('2026-07-31T02:01:00Z');
    listed.rows = rows.slice(0, 3);
    await pollInstances({ ...poller, now: () => test.clock.now }, { crawlId: otherRunId, cause: 'cron' });
    const { instances } = await test.json<StatusAnswer>('/api/status');
    expect(instances).toEqual({
      polledAt: '2026-07-31T02:01:00.000Z',
      statuses: [
        { status: null, instances: 1 },
        { status: 'running', instances: 2 },
      ],
    });
  });

  it('judges by the last crawl that has begun, not by one that a clock ahead dated into the future', async () => {
    const test = await createTestApp({}, 'live');
    const { sql, market } = test;
    const store = async (id: string, startedAt: Date, outcome: 'failed' | 'unchanged') => {
      const series = { marketId: market.id, scopeName: 'default', type: 'on-demand', cause: 'cron' } as const;
      await startCrawl(sql, { ...series, id, startedAt });
      const reason = outcome === 'failed' ? 'the book is ahead of the clock' : null;
      await finishCrawl(sql, id, { outcome, reason, certificate: null, bookId: null, endedAt: startedAt });
    };
    await landOffers(sql, market.id, '2026-07-31T00:30:00Z', [makeOffer(1)]);
    const at = (minutes: number): Date => new Date(test.clock.now.getTime() + minutes * 60_000);
    await store(otherRunId, at(59), 'failed');
    await store(crawlId, at(-1), 'unchanged');
    const status = await test.json<StatusAnswer>('/api/status');
    expect(status.lastCrawls).toMatchObject([{ id: crawlId, outcome: 'unchanged' }]);
    expect([status.lastEnded, status.markets.flatMap(({ lastEnded }) => lastEnded)]).toMatchObject([
      [{ outcome: 'unchanged' }],
      [{ outcome: 'unchanged' }],
    ]);
  });

  it('has no data age for a recorded market', async () => {
    const test = await createTestApp();
    await landOffers(test.sql, test.market.id, '2020-01-01T00:00:00Z', [makeOffer(1)]);
    const status = await test.json<StatusAnswer>('/api/status?market=test-market');
    expect([status.mode, status.dataAgeMinutes]).toEqual(['replay', null]);
  });
});

describe('GET /healthz', () => {
  it('needs no token', async () => {
    const { app } = await createTestApp();
    const response = await app.request('/healthz');
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
  });
});

describe('GET /readyz', () => {
  it('is ready with a fresh complete book, and not when it is too old', async () => {
    const test = await createTestApp({ maxDataAgeMinutes: 60 }, 'simulated');
    expect((await readProblem(await test.app.request('/readyz'), 503)).type).toContain('no-complete-book');
    await landOffers(test.sql, test.market.id, '2026-07-31T01:00:00Z', [makeOffer(1)]);
    const ready = await test.app.request('/readyz');
    expect([ready.status, (await ready.json()) as ReadinessAnswer]).toEqual([
      200,
      {
        status: 'ready',
        database: 'reachable',
        replica: null,
        market: 'test-market',
        lastCompleteBook: { observedAt: '2026-07-31T01:00:00.000Z', ageMinutes: 60 },
        books: [{ type: 'on-demand', observedAt: '2026-07-31T01:00:00.000Z', ageMinutes: 60 }],
        markets: [
          {
            ...{ market: 'test-market', state: 'ready', detail: null },
            lastCompleteBook: { observedAt: '2026-07-31T01:00:00.000Z', ageMinutes: 60 },
            books: [{ type: 'on-demand', observedAt: '2026-07-31T01:00:00.000Z', ageMinutes: 60 }],
          },
        ],
        jobs: { queued: 0, active: 0, failedJobs: 0 },
      },
    ]);
    test.clock.now = new Date('2026-07-31T02:01:00Z');
    await landOffers(test.sql, test.market.id, '2026-07-31T02:00:00Z', [makeOffer(1)], {
      verdict: 'partial',
    });
    const { type, detail } = await readProblem(await test.app.request('/readyz'), 503);
    expect(type).toContain('data-too-old');
    for (const part of [
      'test-market',
      'on-demand',
      '61 minutes',
      'MAX_DATA_AGE_MINUTES allows 60',
      '/api/crawls',
    ]) {
      expect(detail).toContain(part);
    }
  });

  it('names each market, and goes by the first: another one that is down leaves it ready', async () => {
    const others: Market[] = [];
    const test = await createTestApp({ maxDataAgeMinutes: 60, otherMarkets: async () => others }, 'live');
    const second = await ensureMarket(test.sql, 'second', 'live');
    others.push(second, await ensureMarket(test.sql, 'third', 'live'));
    const land = async ({ id }: Market, at: string) => await landOffers(test.sql, id, at, [makeOffer(1)]);
    await land(second, '2026-07-31T00:30:00Z');
    expect((await test.app.request('/readyz')).status).toBe(503);
    await land(test.market, '2026-07-31T01:30:00Z');
    const ready = await test.app.request('/readyz');
    const { markets } = (await ready.json()) as ReadinessAnswer;
    expect([ready.status, markets.map(({ market, state }) => `${market} ${state}`)]).toEqual([
      200,
      ['test-market ready', 'second data-too-old', 'third no-complete-book'],
    ]);
    expect(markets[1]).toMatchObject({
      detail: expect.stringContaining('second: the last complete book of on-demand offers is 90 minutes old'),
      lastCompleteBook: { ageMinutes: 90 },
    });
    const crawl = { marketId: second.id, scopeName: 'default', type: 'bid', cause: 'cron' } as const;
    await startCrawl(test.sql, { ...crawl, id: crawlId, startedAt: new Date('2026-07-31T01:40:00Z') });
    await finishCrawl(test.sql, crawlId, {
      ...{ outcome: 'failed', reason: 'it hung', certificate: null, bookId: null },
      endedAt: new Date('2026-07-31T01:45:00Z'),
    });
    const status = await test.json<StatusAnswer>('/api/status');
    expect(status.markets.map(({ market, lastEnded }) => [market, lastEnded.length])).toEqual([
      ['test-market', 0],
      ['second', 1],
      ['third', 0],
    ]);
    const words = describeStatus(status, test.clock.now);
    for (const row of [
      /^test-market +30 min ago +none *$/m,
      /^second +90 min ago \(too old\) +bid failed: it hung *$/m,
    ])
      expect(words).toMatch(row);
    expect(words).toMatch(/^third +none +none *$/m);
  });

  it('is not ready while any crawled type is too old', async () => {
    const test = await createTestApp({ maxDataAgeMinutes: 60 }, 'live');
    const land = async (type: PricingType, at: string) =>
      await landOffers(test.sql, test.market.id, at, [makeOffer(1)], { type });
    await land('on-demand', '2026-07-31T01:59:00Z');
    await land('bid', '2026-07-31T00:59:00Z');
    const { detail } = await readProblem(await test.app.request('/readyz'), 503);
    expect(detail).toContain('bid offers is 61 minutes old');
    expect(detail).not.toContain('on-demand');
    await land('bid', '2026-07-31T01:58:00Z');
    // Nothing crawls reserved offers by itself.
    await land('reserved', '2020-01-01T00:00:00Z');
    const ready = await test.app.request('/readyz');
    expect([ready.status, ((await ready.json()) as ReadinessAnswer).lastCompleteBook]).toEqual([
      200,
      { observedAt: '2026-07-31T01:59:00.000Z', ageMinutes: 1 },
    ]);
  });

  it('reports the progress of the first history instead of its age', async () => {
    const test = await createTestApp({ seeding: () => ({ done: 62, total: 232 }) }, 'simulated');
    const detail = async () => (await readProblem(await test.app.request('/readyz'), 503)).detail;
    expect(await detail()).toContain('book 62 of 232');
    await landOffers(test.sql, test.market.id, '2026-07-17T01:00:00Z', [makeOffer(1)]);
    expect(await detail()).toContain('book 62 of 232');
  });

  it('ignores the age of a recorded market', async () => {
    const test = await createTestApp({ maxDataAgeMinutes: 60 });
    await landOffers(test.sql, test.market.id, '2020-01-01T00:00:00Z', [makeOffer(1)]);
    expect((await test.app.request('/readyz')).status).toBe(200);
  });

  it('reports that the database is away, and is ready again when it is back', async () => {
    const { sql: direct, target } = await createTestDatabase();
    const market = await ensureMarket(direct, 'test-market', 'live');
    await landOffers(direct, market.id, '2026-07-31T01:59:00Z', [makeOffer(1)]);
    const way = await startDatabaseWay(target);
    const sql = connect({ url: way.url });
    onTestFinished(() => sql.end({ timeout: 0 }));
    const { app } = await createTestApp({
      sql,
      defaultMarket: () => ensureMarket(sql, 'test-market', 'live'),
    });
    expect((await app.request('/readyz')).status).toBe(200);
    way.cut();
    const start = performance.now();
    for (let count = 0; count < 3; count += 1) {
      const { type, detail } = await readProblem(await app.request('/readyz'), 503);
      expect(type).toContain('database-unreachable');
      expect(detail).toMatch(/DATABASE_URL.*resumes by itself/);
    }
    expect(performance.now() - start).toBeLessThan(30_000);
    expect((await app.request('/healthz')).status).toBe(200);
    way.restore();
    await expect.poll(async () => (await app.request('/readyz')).status).toBe(200);
  });

  it('answers when the database accepts connections and then does not respond', async () => {
    const held: { destroy: () => void }[] = [];
    const silent = createServer((socket) => void held.push(socket)).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as AddressInfo;
    const sql = connect({ url: `postgres://offerbook:not-to-be-told@127.0.0.1:${port}/offerbook` });
    onTestFinished(async () => {
      for (const socket of held) socket.destroy();
      silent.close();
      await sql.end({ timeout: 0 });
    });
    const { app } = await createTestApp({ sql });
    const start = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.request('/readyz')));
    expect(performance.now() - start).toBeLessThan(20_000);
    for (const answer of answers) {
      const { type, detail } = await readProblem(answer, 503);
      expect(type).toContain('database-unreachable');
      expect(detail).not.toContain('not-to-be-told');
    }
    // However many ask, the database is asked once.
    expect(held.length).toBe(1);
    expect((await app.request('/healthz')).status).toBe(200);
  });
});
