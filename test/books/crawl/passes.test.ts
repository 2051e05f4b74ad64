import { beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../../prove/seeded-random.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { type SmallRecord, smallRecords, startSmallMarket } from './small-market.ts';
import { crawl, createTestCrawler } from './test-crawler.ts';

describe('passes over the pages', () => {
  let sql: Sql;

  beforeAll(async () => {
    ({ sql } = await createTestDatabase());
  });

  const idsOf = async (bookId: number): Promise<number[]> => {
    const rows = await sql<{ id: number }[]>`
      select offer_id as id from latest_offer where book_id = ${bookId} order by 1`;
    return rows.map(({ id }) => id);
  };

  it('ask for the end twice, so that an empty response in the middle cuts nothing off', async () => {
    const market = await startSmallMarket(smallRecords(60), { cap: 10, hides: (number) => number === 3 });
    const outcome = await crawl(await createTestCrawler(sql, market));
    expect(outcome).toMatchObject({ kind: 'complete', offers: 60, certificate: { endConfirmed: true } });
    expect(outcome.certificate.rowsPerPage.slice(0, 4)).toEqual([10, 10, 0, 10]);
  });

  it('find in a second and third pass what a response hid, and store the union', async () => {
    // The first pass never shows the offers of the first answer's odd ids.
    const market = await startSmallMarket(smallRecords(40), {
      cap: 100,
      hides: (number, { id }) => number === 1 && id % 2 === 1,
    });
    const outcome = await crawl(await createTestCrawler(sql, market));
    expect(outcome).toMatchObject({ kind: 'complete', offers: 40 });
    expect(outcome.certificate.passes.map(({ unseen }) => unseen)).toEqual([20, 20, 0, 0]);
    expect(outcome.certificate.estimate).toBe('recapture');
  });

  it('are partial if every response hides something, and say how much may be missing', async () => {
    const market = await startSmallMarket(smallRecords(400), {
      cap: 50,
      hides: (number, { id }) => createRandom(number * 1_000 + id)() < 0.3,
    });
    const outcome = await crawl(await createTestCrawler(sql, market));
    expect(outcome).toMatchObject({
      kind: 'partial',
      reason: expect.stringMatching(/^the answers hide offers: up to [\d.]+% of them may be missing$/),
    });
    expect(outcome.certificate.estimatedMissingShare).toBeGreaterThan(0.001);
  });

  it('do not mistake offers that come and go for hidden ones', async () => {
    const records = smallRecords(400);
    let newest = 10_000;
    const market = await startSmallMarket(records, {
      cap: 50,
      beforeAnswer: (number) => {
        records.splice((number * 31) % records.length, 1);
        newest += 1;
        const [fresh] = smallRecords(1);
        if (fresh !== undefined) records.push({ ...fresh, id: newest, machine_id: newest });
        return undefined;
      },
    });
    const before = records.map(({ id }) => id);
    const outcome = await crawl(await createTestCrawler(sql, market));
    expect(outcome.kind).toBe('complete');
    const stored = outcome.kind === 'complete' ? await idsOf(outcome.bookId) : [];
    const stayed = records.filter(({ id }) => before.includes(id)).map(({ id }) => id);
    expect(stayed.length).toBeLessThan(400);
    expect(stayed.filter((id) => !stored.includes(id))).toEqual([]);
  });

  it('repeat a tenth of many pages, and stop if that finds nothing new', async () => {
    const market = await startSmallMarket(smallRecords(5_000), { cap: 100 });
    const outcome = await crawl(await createTestCrawler(sql, market, { pageLimit: 1_000 }));
    expect(outcome).toMatchObject({ kind: 'complete', offers: 5_000, certificate: { estimate: 'agreed' } });
    const [full, sample, ...more] = outcome.certificate.passes;
    expect(full).toMatchObject({ kind: 'full', pages: 51 });
    expect(sample).toMatchObject({ kind: 'sample', unseen: 0 });
    expect(sample?.rows).toBeGreaterThanOrEqual(3_000);
    expect(sample?.rows).toBeLessThan(4_000);
    expect(more).toEqual([]);
  });

  it('end at an empty page if the market cannot sort by id downwards', async () => {
    for (const refuses of [true, false]) {
      const market = await startSmallMarket(smallRecords(25), {
        cap: 10,
        beforeAnswer: (number) => {
          if (number !== 4) return undefined;
          const offers = smallRecords(10);
          return refuses
            ? { status: 400, body: '{"error":"invalid_args"}' }
            : { status: 200, body: JSON.stringify({ offers }) };
        },
      });
      const outcome = await crawl(await createTestCrawler(sql, market));
      expect(outcome).toMatchObject({ kind: 'complete', offers: 25, certificate: { endConfirmed: true } });
      expect(market.searches[3]?.order).toEqual([['id', 'desc']]);
      expect(market.searches.slice(4, 6).map(({ id }) => id?.gt)).toEqual([25, 25]);
    }
  });

  it('store an offer once, at its newest price', async () => {
    const records = smallRecords(30);
    const reprice = (id: number, price: number): void => {
      const record = records[id - 1];
      if (record !== undefined) Object.assign(record, { dph_base: price, dph_total: price });
    };
    const market = await startSmallMarket(records, {
      cap: 10,
      beforeAnswer: (number) => {
        if (number === 6) reprice(3, 7.5);
        return undefined;
      },
    });
    const outcome = await crawl(await createTestCrawler(sql, market));
    expect(outcome).toMatchObject({ kind: 'complete', offers: 30, certificate: { movedRows: 1 } });
    const [row] = await sql<{ price: number; runs: number }[]>`
      select o.base_usd_per_hour as price, (select count(*) from price_interval r where r.listing_id = o.listing_id) as runs
      from latest_offer o where book_id = ${outcome.kind === 'failed' ? 0 : outcome.bookId} and offer_id = 3`;
    expect({ ...row }).toEqual({ price: 7.5, runs: 1 });
  });

  it('end when the crawl takes too long, with the offers so far', async () => {
    let clockMs = Date.parse('2026-11-21T12:00:00Z');
    const market = await startSmallMarket(smallRecords(400), {
      cap: 10,
      beforeAnswer: () => {
        clockMs += 10 * 60_000;
        return undefined;
      },
    });
    const crawler = await createTestCrawler(sql, market, { now: () => new Date(clockMs) });
    const outcome = await crawl(crawler);
    expect(outcome).toMatchObject({
      kind: 'partial',
      offers: 130,
      reason: 'too slow: 130 minutes of at most 120',
    });
  });
});

describe('where the market ignores a list of verification tiers', () => {
  const tiers = ['verified', 'unverified', 'deverified'] as const;
  const withTiers = (): SmallRecord[] =>
    smallRecords(45).map((record) => ({ ...record, verification: tiers[record.id % 3] }));

  it('each tier is requested separately', async () => {
    const { sql } = await createTestDatabase();
    const market = await startSmallMarket(withTiers(), { cap: 10, readsLists: false });
    const outcome = await crawl(await createTestCrawler(sql, market));
    expect(outcome).toMatchObject({ kind: 'complete', offers: 45, certificate: { apart: 'tiers' } });
    const parts = new Set(outcome.certificate.passes.map(({ part }) => part));
    expect([...parts]).toEqual([null, ...tiers]);
  });

  it('a tier that is truly empty is not requested separately', async () => {
    const { sql } = await createTestDatabase();
    const records = withTiers().filter(({ verification }) => verification !== 'deverified');
    const market = await startSmallMarket(records, { cap: 10 });
    const outcome = await crawl(await createTestCrawler(sql, market));
    expect(outcome).toMatchObject({ kind: 'complete', offers: 30, certificate: { apart: null } });
  });
});
