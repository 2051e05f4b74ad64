import { beforeAll, describe, expect, it } from 'vitest';
import { findHalfBooks } from '../../../prove/whole-books.ts';
import type { CrawlOutcome } from '../../../src/books/crawl/offers-crawler.ts';
import { defaultScope, narrowScope, rentedScope } from '../../../src/core/crawl-scope.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { type SmallRecord, smallRecords, startSmallMarket } from './small-market.ts';
import { crawlScopes, createTestCrawler } from './test-crawler.ts';

const models = ['RTX 4090', 'RTX 5090', 'H100 SXM'];
const withModels = (count: number): SmallRecord[] =>
  smallRecords(count).map((record) => ({ ...record, gpu_name: models[record.id % 3] }));

describe('scopes that are crawled together', () => {
  let sql: Sql;

  beforeAll(async () => {
    ({ sql } = await createTestDatabase());
  });

  const booksOf = async (outcomes: readonly CrawlOutcome[]): Promise<Record<string, string[]>> => {
    const books: Record<string, string[]> = {};
    for (const outcome of outcomes) {
      const bookId = outcome.kind === 'failed' ? null : outcome.bookId;
      const rows = await sql<{ name: string }[]>`
        select distinct g.name from latest_offer o join listing l on l.id = o.listing_id
        join gpu_model g on g.id = l.gpu_model_id where o.book_id = ${bookId} order by 1`;
      books[outcome.scope.name] = rows.map(({ name }) => name);
    }
    return books;
  };

  it('share one walk, each with a book of its own', async () => {
    const market = await startSmallMarket(withModels(60), { cap: 100 });
    const crawler = await createTestCrawler(sql, market);
    const [one, two] = [narrowScope(['RTX 5090', 'RTX 4090', 'RTX 4090']), narrowScope(['RTX 4090'])];
    expect(one.name).toBe('models:RTX 4090|RTX 5090');
    const outcomes = await crawlScopes(crawler, [one, two]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['complete', 'complete']);
    expect(outcomes.map((outcome) => outcome.kind !== 'failed' && outcome.offers)).toEqual([40, 20]);
    expect(await booksOf(outcomes)).toEqual({
      'models:RTX 4090|RTX 5090': ['RTX 4090', 'RTX 5090'],
      'models:RTX 4090': ['RTX 4090'],
    });
    const moments = await sql<{ at: Date }[]>`
      select distinct b.observed_at as at from book b join scope s on s.id = b.scope_id
      where s.market_id = ${crawler.marketId}`;
    expect(moments).toHaveLength(1);
    // One walk: a page, the end twice, the page again.
    expect(market.searches.length).toBe(4);
    expect(market.searches.every(({ gpu_name: name }) => name?.in?.length === 2)).toBe(true);
    const rows = await sql<{ name: string; gpuNames: string[] }[]>`
      select name, gpu_names as "gpuNames" from scope where market_id = ${crawler.marketId} order by name`;
    expect(rows.map((row) => row.gpuNames)).toEqual([['RTX 4090'], ['RTX 4090', 'RTX 5090']]);
    expect(await findHalfBooks(sql)).toEqual([]);
  });

  it('can be the whole market and a part of it', async () => {
    const market = await startSmallMarket(withModels(60), { cap: 100 });
    const outcomes = await crawlScopes(await createTestCrawler(sql, market), [
      defaultScope,
      narrowScope(['H100 SXM']),
    ]);
    expect(outcomes.map((outcome) => outcome.kind !== 'failed' && outcome.offers)).toEqual([60, 20]);
    expect(market.searches.every(({ gpu_name: name }) => name === undefined)).toBe(true);
  });

  it('give a complete book without offers if the market has none, and no complete one with an unreadable row', async () => {
    const nothing = await startSmallMarket([], { cap: 100 });
    const scope = narrowScope(['H200']);
    const [empty] = await crawlScopes(await createTestCrawler(sql, nothing), [scope]);
    expect(empty).toMatchObject({ kind: 'complete', offers: 0, certificate: { endConfirmed: true } });
    const [rented] = await crawlScopes(await createTestCrawler(sql, nothing), [rentedScope]);
    expect(rented).toMatchObject({ kind: 'complete', offers: 0 });
    const [whole] = await crawlScopes(await createTestCrawler(sql, nothing), [defaultScope]);
    expect(whole).toMatchObject({ kind: 'partial', reason: 'the answer was empty' });
    const records = withModels(30).map((record) =>
      record.gpu_name === 'H100 SXM' ? { ...record, gpu_name: '' } : record,
    );
    const bad = await startSmallMarket(records, { cap: 100 });
    const outcomes = await crawlScopes(await createTestCrawler(sql, bad), [defaultScope, scope]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['partial', 'partial']);
    expect(outcomes[1]).toMatchObject({ offers: 0, reason: 'none of 10 rows could be read' });
    expect(await findHalfBooks(sql)).toEqual([]);
  });

  it('are requested model by model if the market only accepts one name', async () => {
    const market = await startSmallMarket(withModels(60), { cap: 100, readsLists: false });
    const [outcome] = await crawlScopes(await createTestCrawler(sql, market), [
      narrowScope(['RTX 4090', 'RTX 5090']),
    ]);
    expect(outcome).toMatchObject({ kind: 'complete', offers: 40, certificate: { apart: 'models' } });
  });

  it('take several walks when they are many, with outcomes in the requested order', async () => {
    const market = await startSmallMarket(withModels(30), { cap: 100 });
    const scopes = [...models, 'A', 'B'].map((name) => narrowScope([name]));
    const outcomes = await crawlScopes(await createTestCrawler(sql, market), scopes);
    expect(outcomes.map(({ scope }) => scope.name)).toEqual(scopes.map(({ name }) => name));
    expect(outcomes.every(({ kind }) => kind === 'complete')).toBe(true);
  });

  it('are refused if they cannot share a walk', async () => {
    const crawler = await createTestCrawler(sql, await startSmallMarket([], { cap: 1 }));
    await expect(crawlScopes(crawler, [defaultScope, rentedScope])).rejects.toThrow(RangeError);
    await expect(crawlScopes(crawler, [defaultScope, defaultScope])).rejects.toThrow(RangeError);
  });
});

describe('where the cap is reached and paging by id does not work', () => {
  /** 30 offers of one model at one price, 10 of another at others. */
  const plateau = (): SmallRecord[] =>
    smallRecords(40, (id) => (id <= 30 ? 0.5 : id / 100)).map((record) => ({
      ...record,
      gpu_name: record.id <= 30 ? 'RTX 3090' : 'A100 PCIE',
    }));

  it('each model is a slice, and a complete slice counts in statistics even if another is incomplete', async () => {
    const { sql } = await createTestDatabase();
    const crawler = await createTestCrawler(
      sql,
      await startSmallMarket(plateau(), { cap: 20, filtersIds: false }),
    );
    const [outcome] = await crawlScopes(crawler, [defaultScope]);
    expect(outcome).toMatchObject({ kind: 'partial', certificate: { apart: 'models', paging: 'price' } });
    const slices = await sql<{ name: string | null; verdict: string; offers: number }[]>`
      select g.name, s.verdict, s.offers from book_slice s left join gpu_model g on g.id = s.gpu_model_id
      order by g.name nulls last`;
    expect(slices.map((slice) => ({ ...slice }))).toEqual([
      { name: 'A100 PCIE', verdict: 'complete', offers: 10 },
      { name: 'RTX 3090', verdict: 'partial', offers: 20 },
      { name: null, verdict: 'complete', offers: 0 },
    ]);
    const points = await sql<{ name: string; offers: number }[]>`
      select g.name, p.offers from book_point p join point_cell c on c.id = p.cell_id
      join gpu_model g on g.id = c.gpu_model_id where c.num_gpus = 0`;
    expect(points.map((point) => ({ ...point }))).toEqual([{ name: 'A100 PCIE', offers: 10 }]);
    expect(await findHalfBooks(sql)).toEqual([]);
  });

  it('the book is complete when all slices are, including one of a model that was unknown before', async () => {
    const { sql } = await createTestDatabase();
    // Two models share the plateau, half of it each.
    const records = plateau().map((record) =>
      record.id <= 15 ? { ...record, gpu_name: 'RTX 3080' } : record,
    );
    const [outcome] = await crawlScopes(
      await createTestCrawler(sql, await startSmallMarket(records, { cap: 29, filtersIds: false })),
      [defaultScope],
    );
    expect(outcome).toMatchObject({
      kind: 'partial',
      reason: expect.stringMatching(/RTX 30[89]0: more offers/),
    });
    const [roomy] = await crawlScopes(
      await createTestCrawler(sql, await startSmallMarket(records, { cap: 30, filtersIds: false })),
      [defaultScope],
    );
    expect(roomy).toMatchObject({ kind: 'complete', offers: 40, certificate: { apart: 'models' } });
  });
});
