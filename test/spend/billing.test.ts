import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../../src/database/connection.ts';
import { crawlBilling } from '../../src/spend/bills/crawl-bills.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { crawledAt, crawledS, payment, payments, startBillingMarket } from './billing-market.ts';
import { billingText, crawlBills, createBillingCrawler, runsOf, storedBills } from './test-billing.ts';

const dayS = 86_400;

describe('a crawl of invoices', () => {
  let sql: Sql;

  beforeAll(async () => {
    ({ sql } = await createTestDatabase());
  });

  it('reads the whole history, oldest first, with the same filters on every page, and reports its progress', async () => {
    const market = await startBillingMarket(payments(37));
    const crawler = await createBillingCrawler(sql, market);
    const progress: (number | null)[][] = [];
    const outcome = await crawlBills(crawler, { onProgress: (...so) => void progress.push(so) });
    expect(outcome).toMatchObject({
      kind: 'complete',
      certificate: {
        ...{ pages: 4, rows: 37, firstTotal: 37, lastTotal: 37, moved: null, parts: 0 },
        kept: { entries: 37, added: 37, changed: 0, returned: 0, missed: 0, disappeared: 0 },
      },
    });
    expect(progress).toEqual([10, 20, 30, 37].map((done) => [done, 37]));
    expect(new Set(market.questions.map(({ filters }) => filters))).toEqual(new Set(['{"when":{"gte":0}}']));
    expect(market.questions.map(({ token }) => token === null)).toEqual([true, false, false, false]);
    expect(market.questions.some(({ latestFirst }) => latestFirst)).toBe(false);
    const stored = await storedBills(sql, crawler.marketId);
    expect(stored.map(({ amountUsd }) => amountUsd)).toEqual(
      payments(37).map(({ amount }) => String(amount)),
    );
    expect(await runsOf(sql, crawler.marketId)).toEqual([
      { kind: 'invoices', scope: 'invoices', outcome: 'complete', reason: null },
    ]);
  });

  it('then requests 45 days before the previous sync, and changes nothing if nothing has changed', async () => {
    const old = payment(999, crawledS - 46 * dayS);
    const market = await startBillingMarket([old, ...payments(12)]);
    const crawler = await createBillingCrawler(sql, market);
    await crawlBills(crawler);
    const before = await billingText(sql, crawler.marketId);
    const later = { ...crawler, now: () => new Date(crawledAt.getTime() + 3_600_000) };
    expect(await crawlBills(later)).toMatchObject({
      kind: 'complete',
      certificate: { rows: 12, kept: { entries: 12, added: 0, changed: 0, missed: 0 } },
    });
    expect(market.questions.at(-1)?.filters).toBe(JSON.stringify({ when: { gte: crawledS - 45 * dayS } }));
    expect(await billingText(sql, crawler.marketId)).toBe(before);
    expect(before.split('\n')).toHaveLength(13);
  });

  it('requests the whole history again on demand', async () => {
    const market = await startBillingMarket(payments(3));
    const crawler = await createBillingCrawler(sql, market);
    await crawlBills(crawler);
    await crawlBills(crawler, { all: true });
    expect(market.questions.map(({ filters }) => filters)).toEqual([
      '{"when":{"gte":0}}',
      '{"when":{"gte":0}}',
    ]);
  });

  it('keeps every version of an entry with the time it was seen', async () => {
    const records = payments(3);
    const [first, second] = records;
    Object.assign(first ?? {}, { end: null });
    const market = await startBillingMarket(records);
    const crawler = await createBillingCrawler(sql, market);
    const hour = (hours: number) => new Date(crawledAt.getTime() + hours * 3_600_000);
    await crawlBills({ ...crawler, now: () => hour(0) });
    Object.assign(first ?? {}, { end: crawledS + 60 });
    await crawlBills({ ...crawler, now: () => hour(1) });
    Object.assign(second ?? {}, { description: 'Corrected', amount: -2.5 });
    const third = await crawlBills({ ...crawler, now: () => hour(2) });
    expect(third.certificate.kept).toMatchObject({ entries: 3, added: 0, changed: 1 });
    const asOf = async (hours: number) => {
      const at = new Date(hour(hours).getTime() + 1_000);
      return (
        await sql<{ end: Date | null; amount: string }[]>`
          select v.end_at as end, v.amount_usd::text as amount from billing_version v
          join billing_entry e on e.id = v.entry_id
          where e.market_id = ${crawler.marketId} and v.seen_from <= ${at} and v.seen_to > ${at}
          order by v.start_at`
      ).map(({ end, amount }) => [end === null ? null : end.getTime() / 1_000, amount]);
    };
    const [, endOfSecond, endOfThird] = payments(3).map(({ start }) => start);
    const others = [endOfThird, '-3'];
    expect(await asOf(0)).toEqual([[null, '-1'], [endOfSecond, '-2'], others]);
    expect(await asOf(1)).toEqual([[crawledS + 60, '-1'], [endOfSecond, '-2'], others]);
    expect(await asOf(2)).toEqual([[crawledS + 60, '-1'], [endOfSecond, '-2.5'], others]);
  });

  it('marks an entry that two complete syncs in a row lack as disappeared, until it returns', async () => {
    const records = payments(3);
    const market = await startBillingMarket(records);
    const crawler = await createBillingCrawler(sql, market);
    const state = async () =>
      (await storedBills(sql, crawler.marketId)).map(({ missed, disappeared, versions }) => ({
        ...{ missed, disappeared, versions },
      }));
    const there = { missed: 0, disappeared: false, versions: 1 };
    await crawlBills(crawler);
    const [gone] = records.splice(1, 1);
    await crawlBills(crawler);
    expect(await state()).toEqual([there, { missed: 1, disappeared: false, versions: 1 }, there]);
    expect((await crawlBills(crawler)).certificate.kept).toMatchObject({ missed: 1, disappeared: 1 });
    expect(await state()).toEqual([there, { missed: 2, disappeared: true, versions: 1 }, there]);
    const open = await sql`select from billing_version v join billing_entry e on e.id = v.entry_id
      where e.market_id = ${crawler.marketId} and v.seen_to = 'infinity'`;
    expect(open).toHaveLength(2);
    records.push(...(gone === undefined ? [] : [gone]));
    expect((await crawlBills(crawler)).certificate.kept).toMatchObject({ added: 0, changed: 0, returned: 1 });
    expect(await state()).toEqual([there, { missed: 0, disappeared: false, versions: 2 }, there]);
  });

  it('counts a miss only if two syncs in a row lack it', async () => {
    const records = payments(3);
    const market = await startBillingMarket(records);
    const crawler = await createBillingCrawler(sql, market);
    await crawlBills(crawler);
    for (let round = 0; round < 3; round += 1) {
      const gone = records.splice(1, 1);
      await crawlBills(crawler);
      records.push(...gone);
      await crawlBills(crawler);
    }
    const stored = await storedBills(sql, crawler.marketId);
    expect(stored.map(({ versions, missed }) => [versions, missed])).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
    ]);
  });

  it('concludes nothing about entries before its window', async () => {
    const old = payment(999, crawledS - 60 * dayS);
    const records = [old, ...payments(3)];
    const market = await startBillingMarket(records);
    const crawler = await createBillingCrawler(sql, market);
    await crawlBills(crawler);
    records.shift();
    for (const _ of [1, 2, 3]) await crawlBills(crawler);
    const [first] = await storedBills(sql, crawler.marketId);
    expect(first).toMatchObject({ missed: 0, disappeared: false });
  });

  it('reaches back to an entry that one sync has missed, however old, until a second one decides', async () => {
    const old = payment(999, crawledS - 60 * dayS);
    const records = [old, ...payments(3)];
    const market = await startBillingMarket(records);
    const crawler = await createBillingCrawler(sql, market);
    await crawlBills(crawler);
    records.shift();
    expect((await crawlBills(crawler, { all: true })).certificate.kept).toMatchObject({
      missed: 1,
      disappeared: 0,
    });
    expect((await crawlBills(crawler)).certificate.kept).toMatchObject({ missed: 1, disappeared: 1 });
    await crawlBills(crawler);
    const from = market.questions.map(
      ({ filters }) => (JSON.parse(filters) as { when: { gte: number } }).when.gte,
    );
    expect(from).toEqual([0, 0, crawledS - 60 * dayS, crawledS - 45 * dayS]);
  });

  it('distinguishes payments that are equal in everything by their number, and which of them changed', async () => {
    const twin = () => payment(7, crawledS - 1_000);
    const records = [twin(), twin(), twin(), ...payments(2)];
    const market = await startBillingMarket(records);
    const crawler = await createBillingCrawler(sql, market);
    await crawlBills(crawler);
    const before = await billingText(sql, crawler.marketId);
    await crawlBills(crawler);
    expect(await billingText(sql, crawler.marketId)).toBe(before);
    expect(before.split('\n')).toHaveLength(5);
    // The middle one changes, and comes first.
    records.splice(1, 1);
    records.unshift({ ...twin(), description: 'Changed' });
    expect((await crawlBills(crawler)).certificate.kept).toMatchObject({ entries: 5, added: 0, changed: 1 });
    records.splice(
      records.findIndex(({ description }) => description === 'Payment 7'),
      1,
    );
    expect((await crawlBills(crawler)).certificate.kept).toMatchObject({ missed: 1, changed: 0 });
    const stored = (await storedBills(sql, crawler.marketId)).filter(({ identity }) =>
      identity.includes('[7,'),
    );
    expect(stored.map(({ ordinal, missed, versions }) => [ordinal, missed, versions]).sort()).toHaveLength(3);
    expect(stored.reduce((sum, { missed }) => sum + missed, 0)).toBe(1);
    expect(stored.reduce((sum, { versions }) => sum + versions, 0)).toBe(4);
  });

  it('treats a record with its keys in another order as the same', async () => {
    const records = payments(2);
    const market = await startBillingMarket(records);
    const crawler = await createBillingCrawler(sql, market);
    await crawlBills(crawler);
    const before = await billingText(sql, crawler.marketId);
    const turned = records.map((record) => Object.fromEntries(Object.entries(record).reverse()));
    records.splice(0, 2, ...(turned as typeof records));
    await crawlBills(crawler);
    expect(await billingText(sql, crawler.marketId)).toBe(before);
  });

  it('keeps amounts as delivered, digit by digit', async () => {
    const amounts = ['-25.0', '0.1', '-12345678901234567.123456789', '1e-7'];
    const records = amounts.map((_, index) =>
      payment(index, crawledS - 100 + index, { amount: `@${index}@` }),
    );
    const market = await startBillingMarket(records, {
      write: (body) =>
        JSON.stringify(body).replace(/"@(\d)@"/g, (_, index: string) => amounts[Number(index)] ?? ''),
    });
    const crawler = await createBillingCrawler(sql, market);
    await crawlBills(crawler);
    const stored = await storedBills(sql, crawler.marketId);
    expect(stored.map(({ amountUsd }) => amountUsd)).toEqual([...amounts.slice(0, 3), '0.0000001']);
  });

  it('runs once per job and per tick, and each market has its own', async () => {
    const market = await startBillingMarket(payments(2));
    const crawler = await createBillingCrawler(sql, market);
    const ask = { kind: 'invoice', cause: 'cron', tickAt: crawledAt, jobId: uuidv7() } as const;
    expect((await crawlBilling(crawler, { ...ask, crawlId: uuidv7() })).kind).toBe('complete');
    expect((await crawlBilling(crawler, { ...ask, crawlId: uuidv7() })).kind).toBe('done before');
    expect(market.questions).toHaveLength(1);
    const other = await createBillingCrawler(sql, market);
    expect((await crawlBilling(other, { ...ask, crawlId: uuidv7() })).kind).toBe('complete');
    expect(await storedBills(sql, other.marketId)).toHaveLength(2);
  });
});
