import { describe, expect, it } from 'vitest';
import { finishCrawl, startCrawl } from '../../src/books/crawls.sql.ts';
import { landOffers, makeOffer } from '../prices/made-offers.ts';
import { createTestApp } from '../support/test-app.ts';

const crawlId = '01900000-0000-7000-8000-000000000001';

describe('GET /api/crawls', () => {
  it('pages through the crawls, newest first, each once', async () => {
    const test = await createTestApp();
    const { sql, market } = test;
    const ids = Array.from({ length: 25 }, (_, index) => `01900000-0000-7000-8000-0000000000${index + 10}`);
    for (const [index, id] of ids.entries()) {
      // Several begin at the same moment.
      const startedAt = new Date(Date.UTC(2026, 6, 30, Math.floor(index / 3)));
      const type = index % 2 === 0 ? 'on-demand' : 'bid';
      await startCrawl(sql, {
        id,
        marketId: market.id,
        scopeName: 'default',
        type,
        cause: 'cron',
        startedAt,
      });
      if (index % 5 === 0) {
        const end = { certificate: null, bookId: null, endedAt: startedAt };
        await finishCrawl(sql, id, { ...end, outcome: 'failed', reason: 'the market was down' });
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

  it('returns one with its certificate and book', async () => {
    const test = await createTestApp();
    const { sql, market } = test;
    await landOffers(sql, market.id, '2026-07-30T00:00:00Z', [makeOffer(1)]);
    const [book] = await sql<{ id: number; certificate: object }[]>`select id, certificate from book`;
    const startedAt = new Date('2026-07-30T00:00:00Z');
    const run = { id: crawlId, marketId: market.id, scopeName: 'default', startedAt };
    await startCrawl(sql, { ...run, type: 'on-demand', cause: 'api' });
    await sql`update crawl set outcome = 'complete', ended_at = started_at, book_id = ${book?.id ?? 0},
      certificate = (select certificate from book)`;
    expect(await test.json(`/api/crawls/${crawlId}`)).toEqual({
      id: crawlId,
      kind: 'offers',
      scope: 'default',
      type: 'on-demand',
      cause: 'api',
      startedAt: startedAt.toISOString(),
      endedAt: startedAt.toISOString(),
      outcome: 'complete',
      reason: null,
      certificate: book?.certificate,
      state: 'ended',
      explanation: expect.arrayContaining(['The book is complete.']),
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
