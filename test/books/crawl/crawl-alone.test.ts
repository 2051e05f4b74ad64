import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { crawlAlone } from '../../../src/books/crawl/crawl-alone.ts';
import type { OffersCrawler } from '../../../src/books/crawl/offers-crawler.ts';
import { closeInterruptedCrawls } from '../../../src/books/crawls.sql.ts';
import { defaultScope, narrowScope } from '../../../src/core/crawl-scope.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { smallRecords, startSmallMarket } from './small-market.ts';
import { createTestCrawler, storedOf } from './test-crawler.ts';

const { sql } = await createTestDatabase();

const ask = (of: { jobId?: string; tickAt?: Date } = {}) => ({
  type: 'on-demand' as const,
  crawls: [
    {
      ...{ crawlId: uuidv7(), scope: defaultScope, cause: 'cron' as const },
      ...{ jobId: of.jobId ?? null, tickAt: of.tickAt ?? null },
    },
  ],
});

const seriesOf = ({ marketId }: OffersCrawler) => ({
  ...{ marketId, kind: 'offers', scopeName: 'default', type: 'on-demand' as const },
});

describe('crawls of one series', () => {
  it('run one after the other, in any process', async () => {
    const { url } = await startSmallMarket(smallRecords(30), { cap: 10 });
    const crawler = await createTestCrawler(sql, { url });
    const outcomes = await Promise.all([1, 2, 3].map(() => crawlAlone(crawler, ask())));
    expect(outcomes.flat().map(({ kind }) => kind)).toEqual(['complete', 'complete', 'complete']);
    const [row] = await sql`
      select count(*) as overlaps from crawl a join crawl b on a.id < b.id
      where a.market_id = ${crawler.marketId} and b.market_id = ${crawler.marketId}
        and a.started_at < b.ended_at and b.started_at < a.ended_at`;
    expect(row).toEqual({ overlaps: 0 });
  });

  it('make one book per job and per tick, however often they are retried', async () => {
    const { url } = await startSmallMarket(smallRecords(5), { cap: 10 });
    const crawler = await createTestCrawler(sql, { url });
    const [jobId, tickAt] = [crypto.randomUUID(), new Date('2026-03-10T12:00:00Z')];
    const kinds: string[] = [];
    for (const of of [{ jobId, tickAt }, { jobId }, { tickAt }, {}]) {
      kinds.push(...(await crawlAlone(crawler, ask(of))).map(({ kind }) => kind));
    }
    expect(kinds).toEqual(['complete', 'done before', 'done before', 'complete']);
    expect(await storedOf(sql, crawler.marketId)).toMatchObject({ books: 2 });
  });

  it('mark the crawls of dead processes as failed', async () => {
    const { url } = await startSmallMarket(smallRecords(5), { cap: 10 });
    const crawler = await createTestCrawler(sql, { url });
    const gone = uuidv7();
    await sql`insert into crawl (id, market_id, kind, scope_name, type, cause, started_at)
      values (${gone}, ${crawler.marketId}, 'offers', 'default', 'on-demand', 'cron', now())`;
    await crawlAlone(crawler, ask());
    expect(await sql`select outcome, reason from crawl where id = ${gone}`).toEqual([
      { outcome: 'failed', reason: 'interrupted: the process ended before it was done' },
    ]);
  });

  it('store nothing of a crawl that another process took over, not even a moment later', async () => {
    const takenOver: number[] = [];
    const { url } = await startSmallMarket(smallRecords(30), {
      cap: 10,
    });
    const crawler = await createTestCrawler(sql, { url });
    const outcomes = await crawlAlone(
      {
        ...crawler,
        onBookLanded: [async () => void takenOver.push(await closeInterruptedCrawls(sql, seriesOf(crawler)))],
      },
      ask(),
    );
    expect(takenOver).toEqual([1]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['failed']);
    const { books, runs } = await storedOf(sql, crawler.marketId);
    expect(books).toBe(0);
    expect(runs).toEqual([
      { outcome: 'failed', reason: 'interrupted: the process ended before it was done' },
    ]);
  });

  it('succeed as soon as the book is stored, whatever happens to the process afterwards', async () => {
    const { url } = await startSmallMarket(smallRecords(5), { cap: 10 });
    const crawler = await createTestCrawler(sql, { url });
    const jobId = crypto.randomUUID();
    const info = (_: object, message: string): void => {
      if (message === 'book stored') throw new Error('what follows the commit fails');
    };
    const first = await crawlAlone({ ...crawler, log: { ...crawler.log, info } }, ask({ jobId }));
    expect(first.map(({ kind }) => kind)).toEqual(['failed']);
    const [row] = await sql`
      select r.outcome, r.reason, r.certificate = b.certificate as same
      from crawl r join book b on b.id = r.book_id where r.job_id = ${jobId}`;
    expect(row).toEqual({ outcome: 'complete', reason: null, same: true });
    const second = await crawlAlone(crawler, ask({ jobId }));
    expect(second.map(({ kind }) => kind)).toEqual(['done before']);
  });

  it('share a walk over the market, and each scope gets its own book', async () => {
    const records = smallRecords(30).map((record, index) => ({
      ...record,
      gpu_name: index % 3 === 0 ? 'H200' : 'RTX 4090',
    }));
    const { url, searches } = await startSmallMarket(records, { cap: 100 });
    const crawler = await createTestCrawler(sql, { url });
    const [whole] = ask().crawls;
    if (whole === undefined) throw new Error('no run');
    const alone = await crawlAlone(crawler, ask());
    const searchesAlone = searches.length;
    const narrow = { ...whole, crawlId: uuidv7(), scope: narrowScope(['H200']) };
    const outcomes = await crawlAlone(crawler, {
      type: 'on-demand',
      crawls: [{ ...whole, crawlId: uuidv7() }, narrow],
    });
    expect([...alone, ...outcomes].map(({ kind }) => kind)).toEqual(['complete', 'complete', 'complete']);
    expect(outcomes.map((outcome) => ('offers' in outcome ? outcome.offers : null)).sort()).toEqual([10, 30]);
    expect(searches.length - searchesAlone).toBeLessThanOrEqual(searchesAlone + 1);
  });
});
