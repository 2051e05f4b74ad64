import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ReadinessAnswer } from '../../src/api/health.ts';
import type { StatusAnswer } from '../../src/api/status.ts';
import { connect } from '../../src/db/connection.ts';
import { finishRun, startRun } from '../../src/db/crawl-runs.ts';
import { landOffers, makeOffer } from './made-offers.ts';
import { createTestApp, readProblem } from './test-app.ts';

const runId = '01900000-0000-7000-8000-000000000001';

describe('GET /api/status', () => {
  it('tells market, books, crawls and what is under way', async () => {
    const test = await createTestApp(
      { seeding: () => ({ done: 3, total: 116 }), mode: async () => 'live', actionsEnabled: true },
      'live',
    );
    const { sql, market } = test;
    const offers = [makeOffer(1), makeOffer(2, { gpuName: 'A100 SXM4' })];
    await landOffers(sql, market.id, '2026-07-31T00:30:00Z', offers);
    await landOffers(sql, market.id, '2026-07-31T01:30:00Z', offers.slice(0, 1), { verdict: 'partial' });
    await landOffers(sql, market.id, '2026-07-31T01:00:00Z', offers, { type: 'bid', verdict: 'partial' });
    const startedAt = new Date('2026-07-31T01:29:00Z');
    await startRun(sql, {
      id: runId,
      marketId: market.id,
      scopeName: 'default',
      type: 'bid',
      cause: 'cron',
      startedAt,
    });
    expect(await test.json<StatusAnswer>('/api/status')).toEqual({
      version: '0.0.0-test',
      market: { name: 'test-market', kind: 'live' },
      mode: 'live',
      gpuNames: ['A100 SXM4', 'RTX 4090'],
      types: ['on-demand', 'bid'],
      newestBooks: [
        { type: 'on-demand', observedAt: '2026-07-31T00:30:00.000Z', verdict: 'complete', offers: 2 },
        { type: 'bid', observedAt: '2026-07-31T01:00:00.000Z', verdict: 'partial', offers: 2 },
      ],
      dataAgeMinutes: 90,
      lastCrawls: [
        {
          id: runId,
          type: 'bid',
          startedAt: startedAt.toISOString(),
          endedAt: null,
          outcome: null,
          reason: null,
        },
      ],
      seeding: { done: 3, total: 116 },
      deadLetters: 0,
      actions: { enabled: true },
    });
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
        market: 'test-market',
        lastCompleteBook: { observedAt: '2026-07-31T01:00:00.000Z', ageMinutes: 60 },
      },
    ]);
    test.clock.now = new Date('2026-07-31T02:01:00Z');
    await landOffers(test.sql, test.market.id, '2026-07-31T02:00:00Z', [makeOffer(1)], {
      verdict: 'partial',
    });
    const { type, detail } = await readProblem(await test.app.request('/readyz'), 503);
    expect(type).toContain('data-too-old');
    expect(detail).toContain('61 minutes');
  });

  it('asks no age of a recorded market', async () => {
    const test = await createTestApp({ maxDataAgeMinutes: 60 });
    await landOffers(test.sql, test.market.id, '2020-01-01T00:00:00Z', [makeOffer(1)]);
    expect((await test.app.request('/readyz')).status).toBe(200);
  });

  it('answers within 2 s when the database accepts connections and then says nothing', async () => {
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
    expect(performance.now() - start).toBeLessThan(2_000);
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

describe('GET /api/crawls', () => {
  it('pages through the attempts, the newest first, each once', async () => {
    const test = await createTestApp();
    const { sql, market } = test;
    const ids = Array.from({ length: 25 }, (_, index) => `01900000-0000-7000-8000-0000000000${index + 10}`);
    for (const [index, id] of ids.entries()) {
      // Several begin at the same moment.
      const startedAt = new Date(Date.UTC(2026, 6, 30, Math.floor(index / 3)));
      const type = index % 2 === 0 ? 'on-demand' : 'bid';
      await startRun(sql, { id, marketId: market.id, scopeName: 'default', type, cause: 'cron', startedAt });
      if (index % 5 === 0) {
        const end = { certificate: null, bookId: null, endedAt: startedAt };
        await finishRun(sql, id, { ...end, outcome: 'failed', reason: 'the market was down' });
      }
    }
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { items: { id: string }[]; nextCursor: string | null } = await test.json(
        `/api/crawls?limit=4${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual([...ids].reverse());
    const { items } = await test.json<{ items: object[] }>('/api/crawls?outcome=failed&type=on-demand');
    expect(items).toHaveLength(3);
    expect(items[0]).toMatchObject({
      outcome: 'failed',
      reason: 'the market was down',
      certificate: null,
      book: null,
    });
    await test.problem('/api/crawls?outcome=bad', 400);
    await test.problem('/api/crawls?cursor=WyJ4IixbXSwieCJd', 400);
  });

  it('gives one with its certificate and book', async () => {
    const test = await createTestApp();
    const { sql, market } = test;
    await landOffers(sql, market.id, '2026-07-30T00:00:00Z', [makeOffer(1)]);
    const [book] = await sql<{ id: number; certificate: object }[]>`select id, certificate from book`;
    const startedAt = new Date('2026-07-30T00:00:00Z');
    const run = { id: runId, marketId: market.id, scopeName: 'default', startedAt };
    await startRun(sql, { ...run, type: 'on-demand', cause: 'api' });
    await sql`update crawl_run set outcome = 'complete', ended_at = started_at, book_id = ${book?.id ?? 0},
      certificate = (select certificate from book)`;
    expect(await test.json(`/api/crawls/${runId}`)).toEqual({
      id: runId,
      kind: 'offers',
      scope: 'default',
      type: 'on-demand',
      cause: 'api',
      startedAt: startedAt.toISOString(),
      endedAt: startedAt.toISOString(),
      outcome: 'complete',
      reason: null,
      certificate: book?.certificate,
      book: {
        id: String(book?.id),
        observedAt: startedAt.toISOString(),
        startedAt: startedAt.toISOString(),
        verdict: 'complete',
        reason: null,
        proof: 'declared',
        offers: 1,
      },
    });
    await test.problem('/api/crawls/01900000-0000-7000-8000-000000000099', 404);
    await test.problem('/api/crawls/latest', 404);
  });
});
