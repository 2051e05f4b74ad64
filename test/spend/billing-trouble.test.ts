import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../../src/database/connection.ts';
import { crawlBilling } from '../../src/spend/bills/crawl-bills.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { payments, refusedToken, startBillingMarket } from './billing-market.ts';
import { crawlBills, createBillingCrawler, runsOf, storedBills } from './test-billing.ts';

const noSuccess = { status: 200, body: JSON.stringify({ success: false, error: 'temporarily_unavailable' }) };

describe('a failing sync of invoices', () => {
  let sql: Sql;

  beforeAll(async () => {
    ({ sql } = await createTestDatabase());
  });

  /** Crawls 37 payments in pages of 10 from a market that does `what` before each answer. */
  const open = async (
    what: (number: number) => { status: number; body: string } | undefined,
    more: Omit<NonNullable<Parameters<typeof startBillingMarket>[1]>, 'beforeAnswer'> = {},
  ) => {
    const market = await startBillingMarket(payments(37), { beforeAnswer: what, ...more });
    return { market, crawler: await createBillingCrawler(sql, market) };
  };
  const firstPages = (market: { questions: { token: string | null }[] }) =>
    market.questions.filter(({ token }) => token === null).length;

  it('treats a 200 without success as a failure, stores nothing of it and continues from there next time', async () => {
    const { market, crawler } = await open((number) => (number === 3 ? noSuccess : undefined));
    const failed = await crawlBills(crawler);
    expect(failed).toMatchObject({ kind: 'failed', certificate: { pages: 2, kept: null } });
    expect(await storedBills(sql, crawler.marketId)).toEqual([]);
    expect(await crawlBills(crawler)).toMatchObject({
      kind: 'complete',
      certificate: { pages: 4, rows: 37 },
    });
    expect(firstPages(market)).toBe(1);
    expect(await storedBills(sql, crawler.marketId)).toHaveLength(37);
    expect((await runsOf(sql, crawler.marketId)).map(({ outcome }) => outcome)).toEqual([
      'failed',
      'complete',
    ]);
  });

  it('stops on request and continues from there next time', async () => {
    const stop = new AbortController();
    const { market, crawler } = await open((number) => void (number === 3 && stop.abort()));
    expect(await crawlBills(crawler, { signal: stop.signal })).toMatchObject({
      kind: 'failed',
      reason: 'stopped; the next crawl continues from there',
    });
    expect(await crawlBills(crawler)).toMatchObject({ kind: 'complete' });
    expect(firstPages(market)).toBe(1);
    expect(await storedBills(sql, crawler.marketId)).toHaveLength(37);
  });

  it('stores nothing of a failed merge, and needs no page again', async () => {
    const { market, crawler } = await open(() => undefined);
    await sql`alter table billing_version rename to taken_away`;
    expect((await crawlBills(crawler)).kind).toBe('failed');
    await sql`alter table taken_away rename to billing_version`;
    expect(await storedBills(sql, crawler.marketId)).toEqual([]);
    expect((await crawlBills(crawler)).kind).toBe('complete');
    expect(market.questions).toHaveLength(4);
    expect(await storedBills(sql, crawler.marketId)).toHaveLength(37);
  });

  it('starts again when the market no longer accepts its token', async () => {
    const { market, crawler } = await open((number) => (number === 4 ? refusedToken : undefined));
    expect(await crawlBills(crawler)).toMatchObject({
      kind: 'complete',
      certificate: { restarts: 1, rows: 37, moved: null },
    });
    expect(firstPages(market)).toBe(2);
    expect(await storedBills(sql, crawler.marketId)).toHaveLength(37);
  });

  it('fails on a market that refuses every token, and starts with a new sync', async () => {
    let refuses = true;
    const { market, crawler } = await open((number) =>
      refuses && market.questions[number - 1]?.token !== null ? refusedToken : undefined,
    );
    const outcome = await crawlBills(crawler);
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/refuses its own page tokens/),
    });
    expect(market.questions.length).toBeLessThan(20);
    refuses = false;
    expect(await crawlBills(crawler)).toMatchObject({ kind: 'complete', certificate: { restarts: 0 } });
  });

  it('fails on a market that ignores the token, and names the setting', async () => {
    const deaf = (_: number) => {
      for (const question of market.questions) question.token = null;
      return undefined;
    };
    const { market, crawler } = await open(deaf);
    expect(await crawlBills(crawler)).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/same pages again.*invoices\.tokenParameter in MARKET_DIALECT/),
    });
    expect(market.questions.length).toBeLessThan(5);
    expect(await storedBills(sql, crawler.marketId)).toEqual([]);
  });

  it('requests a page again whose count does not match its rows', async () => {
    let answers = 0;
    const { market, crawler } = await open(() => undefined, {
      change: (body) => {
        answers += 1;
        return answers === 2 ? { ...body, results: body.results.slice(1) } : body;
      },
    });
    expect(await crawlBills(crawler)).toMatchObject({
      kind: 'complete',
      certificate: { miscounted: 1, pages: 5, parts: 0 },
    });
    expect(market.questions).toHaveLength(5);
  });

  it.each([
    ['a count that is never right', (body: { count: number }) => ({ ...body, count: body.count + 1 })],
    ['a total that is never right', (body: { total: number }) => ({ ...body, total: body.total + 1 })],
    [
      'the oldest entry always left out',
      (body: { results: { start: number }[] }) => ({
        ...body,
        results: body.results.filter(({ start }) => start !== payments(37)[0]?.start),
      }),
    ],
  ])('is soon partial with %s, and marks nothing as missing', async (_, change) => {
    let honest = true;
    const { market, crawler } = await open(() => undefined, {
      change: (body) => (honest ? body : change(body)),
    });
    await crawlBills(crawler);
    honest = false;
    for (let reading = 0; reading < 3; reading += 1) expect((await crawlBills(crawler)).kind).toBe('partial');
    const stored = await storedBills(sql, crawler.marketId);
    expect(stored).toHaveLength(37);
    expect(stored.filter(({ missed, disappeared }) => missed > 0 || disappeared)).toEqual([]);
    expect(market.questions.length).toBeLessThan(250);
  });

  it('counts unreadable rows and is partial because of them, but need not read everything again', async () => {
    const records = payments(60);
    Object.assign(records[30] ?? {}, { amount: 'much' });
    const market = await startBillingMarket(records);
    const crawler = await createBillingCrawler(sql, market);
    expect(await crawlBills(crawler)).toMatchObject({
      kind: 'partial',
      reason: '1 of 60 rows could not be read',
      certificate: { rejected: { 'amount: not a number': 1 }, kept: { entries: 59 } },
    });
    const asked = market.questions.length;
    Object.assign(records[30] ?? {}, { amount: -31 });
    expect((await crawlBills(crawler)).kind).toBe('complete');
    expect(market.questions[asked]?.filters).not.toBe('{"when":{"gte":0}}');
    expect(await storedBills(sql, crawler.marketId)).toHaveLength(60);
  });

  it('reads everything again after a sync with many unreadable rows', async () => {
    const records = payments(60);
    for (const record of records.slice(0, 30)) Object.assign(record, { amount: 'much' });
    const market = await startBillingMarket(records);
    const crawler = await createBillingCrawler(sql, market);
    expect((await crawlBills(crawler)).kind).toBe('partial');
    for (const [index, record] of records.entries()) Object.assign(record, { amount: -index });
    expect((await crawlBills(crawler)).kind).toBe('complete');
    expect(await storedBills(sql, crawler.marketId)).toHaveLength(60);
  });

  it('does not continue a sync that was interrupted more than a day ago', async () => {
    const { market, crawler } = await open((number) => (number === 3 ? noSuccess : undefined));
    await crawlBills(crawler);
    await sql`update billing_sync set advanced_at = advanced_at - interval '25 hours'
      where market_id = ${crawler.marketId}`;
    expect((await crawlBills(crawler)).kind).toBe('complete');
    expect(firstPages(market)).toBe(2);
    const readings = await sql`select state, reason from billing_sync
      where market_id = ${crawler.marketId} order by started_at, state desc`;
    expect(readings.map(({ state }) => String(state)).sort()).toEqual(['complete', 'failed']);
    const [left] = await sql`select count(*) as rows from billing_staged s
      join billing_sync r on r.id = s.sync_id where r.market_id = ${crawler.marketId}`;
    expect(left?.rows).toBe(0);
  });

  it('runs in one process at a time: the second waits and makes its own', async () => {
    const { market, crawler } = await open(() => undefined);
    const outcomes = await Promise.all([crawlBills(crawler), crawlBills(crawler), crawlBills(crawler)]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['complete', 'complete', 'complete']);
    expect(outcomes.map(({ certificate }) => certificate.kept?.added).sort()).toEqual([0, 0, 37]);
    expect(market.questions).toHaveLength(12);
    expect(await storedBills(sql, crawler.marketId)).toHaveLength(37);
  });

  it('reports that the market is away, and never throws', async () => {
    const crawler = await createBillingCrawler(sql, { url: 'http://127.0.0.1:1' });
    expect(await crawlBills(crawler)).toMatchObject({ kind: 'failed', error: { kind: 'network' } });
    const [run] = await runsOf(sql, crawler.marketId);
    expect(run).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(/GET \/api\/v1\/invoices/),
    });
  });

  it('ends the crawl of a killed process', async () => {
    const { crawler } = await open(() => undefined);
    await sql`insert into crawl (id, market_id, kind, scope_name, cause, started_at)
      values (${uuidv7()}, ${crawler.marketId}, 'invoices', 'invoices', 'cron', now())`;
    const ask = { kind: 'invoice', cause: 'cron', tickAt: null, jobId: null } as const;
    await crawlBilling(crawler, { ...ask, crawlId: uuidv7() });
    expect((await runsOf(sql, crawler.marketId)).map(({ outcome }) => outcome)).toEqual([
      'failed',
      'complete',
    ]);
  });
});
