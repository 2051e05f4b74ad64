import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../../src/database/connection.ts';
import { parseDialect } from '../../src/market/vast/dialect.ts';
import { crawlBilling } from '../../src/spend/bills/crawl-bills.ts';
import { openMarket, rent, type TestMarket } from '../simulator/market-account.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { crawledAt, crawledS, payment, startBillingMarket } from './billing-market.ts';
import { billingText, crawlBills, createBillingCrawler, runsOf } from './test-billing.ts';

const dayS = 86_400;

/** Every item that is there, as `source start item amount of charge`. */
async function storedItems(sql: Sql, marketId: number): Promise<string[]> {
  const rows = await sql<{ item: string }[]>`
    select concat_ws(' ', v.source, extract(epoch from v.start_at)::bigint, extract(epoch from v.end_at)::bigint,
      v.item_type, trim_scale(v.amount_usd), 'of', trim_scale(v.charge_usd)) as item
    from billing_entry e join billing_version v on v.entry_id = e.id and v.seen_to = 'infinity'
    where e.market_id = ${marketId} order by 1`;
  return rows.map(({ item }) => item).sort();
}

const trueItems = ({ simulator }: TestMarket): string[] =>
  simulator
    .charges()
    .flatMap(({ source, startS, endS, amountUsd, items }) =>
      items.map((item) =>
        [source, startS, endS, item.type, Number(item.amountUsd), 'of', Number(amountUsd)].join(' '),
      ),
    )
    .sort();

describe('a crawl of charges', () => {
  let sql: Sql;

  beforeAll(async () => {
    ({ sql } = await createTestDatabase());
  });

  it('stores each item of each charge, follows growing ones, and changes nothing if nothing has changed', async () => {
    const market = await openMarket({ faults: ['shifting-pages'] });
    const { now } = market.simulator;
    const place = { url: market.url, apiKey: market.simulator.apiKey };
    const crawler = await createBillingCrawler(sql, place, { now, pageLimit: 13 });
    const ask = { kind: 'charge' } as const;
    for (const offerId of [1, 2]) await rent(market, offerId);
    market.goTo(10 * dayS + 3_000);
    expect(await crawlBills(crawler, ask)).toMatchObject({ kind: 'complete' });
    expect(trueItems(market).length).toBeGreaterThan(40);
    expect(await storedItems(sql, crawler.marketId)).toEqual(trueItems(market));
    const before = await billingText(sql, crawler.marketId);
    expect(await crawlBills(crawler, ask)).toMatchObject({ kind: 'complete' });
    expect(await billingText(sql, crawler.marketId)).toBe(before);
    market.goTo(10 * dayS + 6_000);
    const grown = await crawlBills(crawler, ask);
    // Today's two charges, each with a GPU and a disk.
    expect(grown.certificate.kept).toMatchObject({ added: 0, changed: 4, missed: 0 });
    await rent(market, 3);
    market.goTo(30 * dayS);
    const later = await crawlBills(crawler, ask);
    expect(later.kind).toBe('complete');
    expect(await storedItems(sql, crawler.marketId)).toEqual(trueItems(market));
    expect((await runsOf(sql, crawler.marketId)).map(({ kind }) => kind)).toEqual(Array(4).fill('charges'));
  });

  it('requests whole days with both ends, the same on every page', async () => {
    const records = Array.from({ length: 23 }, (_, index) =>
      payment(index, crawledS - index * 3_600, { source: `instance-${index}`, metadata: {} }),
    );
    const market = await startBillingMarket(records);
    const crawler = await createBillingCrawler(sql, market);
    await crawlBills(crawler, { kind: 'charge' });
    const until = crawledS + 3 * dayS - 1;
    expect(new Set(market.questions.map(({ filters }) => filters))).toEqual(
      new Set([
        JSON.stringify({ day: { gte: 0, lte: until }, type: { in: ['instance', 'volume', 'serverless'] } }),
      ]),
    );
    expect(market.questions.map(({ path, latestFirst }) => `${path} ${latestFirst}`)).toEqual(
      Array(3).fill('/api/v0/charges/ false'),
    );
    const asked = market.questions.length;
    const evening = new Date(crawledAt.getTime() + 20 * 3_600_000);
    await crawlBills({ ...crawler, now: () => evening }, { kind: 'charge' });
    expect(JSON.parse(market.questions[asked]?.filters ?? '')).toMatchObject({
      day: { gte: crawledS - 45 * dayS, lte: until },
    });
  });

  it('distinguishes equal items of one charge, a charge without items, and one that loses an item', async () => {
    const item = (amount: number, type = 'gpu') => ({ type, description: 'hours', amount });
    const charge = (id: number, more: Record<string, unknown>) =>
      payment(id, crawledS - 10 * id, { type: 'instance', source: `instance-${id}`, metadata: {}, ...more });
    const records = [
      charge(1, { amount: 3, items: [item(1), item(1), item(1, 'disk')] }),
      charge(2, { amount: 5, items: [] }),
    ];
    const market = await startBillingMarket(records);
    const crawler = await createBillingCrawler(sql, market);
    const kept = async () => (await crawlBills(crawler, { kind: 'charge' })).certificate.kept;
    expect(await kept()).toMatchObject({ entries: 4, added: 4 });
    const entries = await sql`select e.ordinal, v.item_type, v.amount_usd::text as amount, v.instance_id
      from billing_entry e join billing_version v on v.entry_id = e.id
      where e.market_id = ${crawler.marketId} order by v.instance_id, v.item_type, e.ordinal`;
    expect(entries.map((row) => Object.values(row))).toEqual([
      [1, 'disk', '1', 1],
      [1, 'gpu', '1', 1],
      [2, 'gpu', '1', 1],
      [1, null, '5', 2],
    ]);
    Object.assign(records[0] ?? {}, { amount: 2, items: [item(1), item(1, 'disk')] });
    expect(await kept()).toMatchObject({ entries: 3, added: 0, missed: 1 });
    expect(await kept()).toMatchObject({ entries: 3, added: 0, disappeared: 1 });
  });

  it('has nothing to do if the market lists none, and says so', async () => {
    const dialect = parseDialect('{"extensions": {"charges": false}}', 'dialect.json');
    const crawler = await createBillingCrawler(sql, { url: 'http://127.0.0.1:1' }, { dialect });
    const ask = { crawlId: uuidv7(), kind: 'charge', cause: 'cron', tickAt: null, jobId: null } as const;
    expect(await crawlBilling(crawler, ask)).toMatchObject({
      kind: 'absent',
      reason: 'This market does not list charges: nothing to do.',
    });
    expect(await runsOf(sql, crawler.marketId)).toEqual([]);
  });
});
