import { beforeAll, describe, expect, it } from 'vitest';
import { findHalfBooks } from '../../../prove/whole-books.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { createSimulator } from '../../../src/simulator/simulator.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { smallRecords, startSmallMarket } from './small-market.ts';
import { crawl, createTestCrawler, storedOf } from './test-crawler.ts';

describe('a crawl of offers', () => {
  let sql: Sql;

  beforeAll(async () => {
    ({ sql } = await createTestDatabase());
  });

  it('pages the simulator by id beyond its cap and stores every offer of that moment once', async () => {
    const at = new Date('2026-11-21T12:00:00Z');
    const simulator = createSimulator({ offersPerType: 400, cap: 64, now: () => at });
    const { url } = await simulator.listen();
    const crawler = await createTestCrawler(sql, { url, apiKey: simulator.apiKey }, { pageLimit: 5000 });
    const outcome = await crawl(crawler);
    await simulator.close();
    const everything = {
      ...{
        type: 'on-demand',
        limit: 10_000,
        allocated_storage: 8,
        rentable: { eq: true },
        rented: { eq: false },
      },
      verification: { in: ['verified', 'unverified', 'deverified'] },
    };
    const { body } = createSimulator({ offersPerType: 400, now: () => at }).search(everything, at);
    const count = 'offers' in body ? body.offers.length : 0;
    expect(count).toBeGreaterThan(300);
    expect(outcome).toMatchObject({
      ...{ kind: 'complete', offers: count },
      certificate: { paging: 'id', rowCap: 64, accepted: count, endConfirmed: true, estimate: 'agreed' },
    });
    expect(await storedOf(sql, crawler.marketId)).toMatchObject({ books: 1, offers: count, listings: count });
  });

  it('pages by id until an empty page, and stores an offer once that changes its price meanwhile', async () => {
    const records = smallRecords(25);
    const repriced = records[20];
    const market = await startSmallMarket(records, {
      cap: 10,
      beforeAnswer: (number) => {
        // From the dearest to the cheapest: paging by price would have lost or doubled it.
        if (number === 2 && repriced !== undefined)
          Object.assign(repriced, { dph_base: 0.001, dph_total: 0.001 });
        return undefined;
      },
    });
    const crawler = await createTestCrawler(sql, market);
    const outcome = await crawl(crawler);
    expect(outcome).toMatchObject({ kind: 'complete', offers: 25 });
    expect(outcome.certificate).toMatchObject({
      pages: 7,
      // A short page: the highest id is confirmed. Then everything is read again.
      rowsPerPage: [10, 10, 5, 10, 10, 10, 5],
      rowCap: 10,
      duplicates: 35,
    });
    const starts = [undefined, 10, 20];
    expect(market.searches.map(({ id }) => id?.gt)).toEqual([...starts, undefined, ...starts]);
    expect(market.searches[3]?.order).toEqual([['id', 'desc']]);
  });

  it('walks by price if the market ignores the filter on ids, and is complete only after a second whole walk', async () => {
    const market = await startSmallMarket(smallRecords(25), { cap: 10, filtersIds: false });
    const crawler = await createTestCrawler(sql, market);
    const outcome = await crawl(crawler);
    expect(outcome).toMatchObject({
      kind: 'complete',
      offers: 25,
      certificate: { paging: 'price', accepted: 25 },
    });
    const starts = market.searches.filter(
      ({ order, dph_total: price }) => order[0]?.[0] === 'dph_total' && price === undefined,
    );
    expect(starts).toHaveLength(2);
  });

  it('is partial when walks by price keep finding offers that earlier ones had not', async () => {
    const records = smallRecords(25);
    let newest = 1000;
    const market = await startSmallMarket(records, {
      cap: 10,
      filtersIds: false,
      beforeAnswer: () => {
        const [offer] = smallRecords(1, () => 0.105);
        newest += 1;
        if (offer !== undefined)
          records.push({ ...offer, id: newest, machine_id: newest, dph_total: newest / 1e6 + 0.1 });
        return undefined;
      },
    });
    const outcome = await crawl(await createTestCrawler(sql, market));
    expect(outcome).toMatchObject({
      kind: 'partial',
      reason: expect.stringMatching(/^paging by price still found \d+ new/),
    });
  });

  it('continues by id within a price that more offers share than a page holds', async () => {
    const records = smallRecords(40, (id) => (id > 5 && id <= 35 ? 0.5 : id / 100));
    const market = await startSmallMarket(records, {
      cap: 10,
      // Only the walk by id is refused: sorted wrongly, it cannot be trusted.
      beforeAnswer: (number) =>
        number === 1
          ? { status: 200, body: JSON.stringify({ offers: records.slice(0, 10).reverse() }) }
          : undefined,
    });
    const outcome = await crawl(await createTestCrawler(sql, market));
    expect(outcome).toMatchObject({ kind: 'complete', offers: 40, certificate: { paging: 'price' } });
    expect(market.searches.some(({ id, dph_total: price }) => price?.eq === 0.5 && id !== undefined)).toBe(
      true,
    );
  });

  it('is partial if more offers share a price than a page holds and ids cannot be filtered', async () => {
    const records = smallRecords(40, (id) => (id > 5 && id <= 35 ? 0.5 : id / 100));
    const market = await startSmallMarket(records, { cap: 10, filtersIds: false });
    const outcome = await crawl(await createTestCrawler(sql, market));
    expect(outcome).toMatchObject({
      kind: 'partial',
      reason: expect.stringMatching(/RTX 4090: more offers at \$0.5\/hour than one answer holds$/),
    });
  });

  it('stores nothing when it fails midway, and records the reason', async () => {
    const market = await startSmallMarket(smallRecords(25), {
      cap: 10,
      beforeAnswer: (number) => (number >= 2 ? { status: 200, body: '<html>maintenance</html>' } : undefined),
    });
    const crawler = await createTestCrawler(sql, market);
    const outcome = await crawl(crawler);
    expect(outcome.kind).toBe('failed');
    expect(await storedOf(sql, crawler.marketId)).toEqual({
      ...{ books: 0, offers: 0, listings: 0 },
      runs: [{ outcome: 'failed', reason: outcome.kind === 'failed' ? outcome.reason : '' }],
    });
  });

  it('rejects and counts a bad row, once however often it is seen, and keeps the rest', async () => {
    for (const filtersIds of [true, false]) {
      const records = smallRecords(60);
      const bad = records[30];
      if (bad !== undefined) bad.dph_base = -1;
      const crawler = await createTestCrawler(sql, await startSmallMarket(records, { cap: 25, filtersIds }));
      const outcome = await crawl(crawler);
      expect(outcome).toMatchObject({ kind: 'complete', offers: 59 });
      expect(outcome.certificate).toMatchObject({ accepted: 59, rejected: { 'dph_base: negative': 1 } });
    }
  });

  it('is partial above two bad rows in a hundred, and fails when no row can be read', async () => {
    const [some, all] = [smallRecords(50), smallRecords(5)];
    for (const record of [...some.slice(0, 2), ...all]) record.num_gpus = 'two';
    const partial = await crawl(await createTestCrawler(sql, await startSmallMarket(some, { cap: 100 })));
    expect(partial).toMatchObject({ kind: 'partial', offers: 48, reason: '2 of 50 rows could not be read' });
    const crawler = await createTestCrawler(sql, await startSmallMarket(all, { cap: 100 }));
    expect(await crawl(crawler)).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching('none of 5'),
    });
    expect(await storedOf(sql, crawler.marketId)).toMatchObject({ books: 0, listings: 0 });
  });

  it('is partial when the response is empty or the walk took too long', async () => {
    const empty = await crawl(await createTestCrawler(sql, await startSmallMarket([], { cap: 10 })));
    expect(empty).toMatchObject({ kind: 'partial', offers: 0, reason: 'the answer was empty' });
    let clockMs = Date.parse('2026-11-21T12:00:00Z');
    const slow = await startSmallMarket(smallRecords(5), {
      cap: 10,
      beforeAnswer: () => {
        clockMs += 61 * 60_000;
        return undefined;
      },
    });
    const outcome = await crawl(await createTestCrawler(sql, slow, { now: () => new Date(clockMs) }));
    expect(outcome).toMatchObject({
      kind: 'partial',
      offers: 5,
      reason: 'too slow: 122 minutes of at most 120',
    });
  });

  it('replaces U+0000 in a model name, counts it and stores the offer', async () => {
    const records = smallRecords(3);
    for (const record of records) record.gpu_name = `RTX\u00004090`;
    const crawler = await createTestCrawler(sql, await startSmallMarket(records, { cap: 10 }));
    const outcome = await crawl(crawler);
    expect(outcome).toMatchObject({ kind: 'complete', offers: 3, certificate: { replacedCharacters: 3 } });
    const rows = await sql`select distinct g.name from listing l join gpu_model g on g.id = l.gpu_model_id
      where l.market_id = ${crawler.marketId}`;
    expect(rows.map(({ name }) => name)).toEqual(['RTX\uFFFD4090']);
  });

  it('only ever leaves whole books behind', async () => {
    expect(await findHalfBooks(sql)).toEqual([]);
  });
});
