import { readFileSync } from 'node:fs';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAskAgain } from '../../../src/books/crawl/ask-again.ts';
import { crawlOffers } from '../../../src/books/crawl/crawl-offers.ts';
import { ensureMarket } from '../../../src/books/markets.sql.ts';
import { defaultScope } from '../../../src/core/crawl-scope.ts';
import type { Sql } from '../../../src/database/connection.ts';
import { createBills } from '../../../src/market/vast/bills.ts';
import { createCrawlBook } from '../../../src/market/vast/crawl/crawl-book.ts';
import { defaultDialect } from '../../../src/market/vast/dialect.ts';
import { pointStatistics } from '../../../src/prices/statistics/point-statistics.ts';
import { pollInstances } from '../../../src/rentals/instances/poll-instances.ts';
import { faultKinds } from '../../../src/simulator/faults/fault-kinds.ts';
import { crawlBilling } from '../../../src/spend/bills/crawl-bills.ts';
import { createTestClient, testKey } from '../../market/test-client.ts';
import { bookOf, offer, openedAt, openMarket, type TestMarket } from '../../simulator/market-account.ts';
import { createTestDatabase } from '../../support/test-database.ts';

const crawls = ['offers', 'invoices', 'charges', 'instances'] as const;
type Crawl = (typeof crawls)[number];

const offers = 12;
const payments = 12;
/** Of the rows where that is less than all. */
const shares: Readonly<Record<string, number>> = { hiding: 0.9 };
/** Short where the fault is to be slow, so that a busy machine makes no other fault slow. */
const slowDeadlines = { headersMs: 600, idleMs: 600, totalMs: 600, callMs: 300_000 };
const otherDeadlines = { headersMs: 10_000, idleMs: 10_000, totalMs: 10_000, callMs: 300_000 };

/** The table of docs/faults.md: what each crawl comes to while the fault strikes every answer. */
const table = readTable();

function readTable(): ReadonlyMap<string, Readonly<Record<Crawl, string>>> {
  const text = readFileSync(new URL('../../../docs/faults.md', import.meta.url), 'utf8');
  const section = text.split('\n## ').find((part) => part.startsWith('Result of a crawl')) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return new Map(
    rows.map((line) => {
      const [name = '', ...cells] = line.split('|').slice(1, -1);
      const [book = '', invoices = '', charges = '', instances = ''] = cells.map((cell) => cell.trim());
      return [name.trim().replaceAll('`', ''), { offers: book, invoices, charges, instances }];
    }),
  );
}

/** A market with offers, payments and two instances that have run for a day. */
async function openBusyMarket(): Promise<TestMarket> {
  const records = Array.from({ length: offers }, (_, at) =>
    offer(at + 1, { dph_base: 0.3 + at / 100, dph_total: 0.3 + at / 100 + 0.08, storage_total_cost: 0.08 }),
  );
  const market = await openMarket({ replay: bookOf(records), apiKey: testKey, pastPayments: payments });
  for (const id of [101, 102]) {
    const rented = await market.call(
      'PUT',
      `/api/v0/asks/${id - 100}/`,
      { image: 'ubuntu', disk: 8 },
      testKey,
    );
    expect(rented.status).toBe(200);
  }
  market.goTo(86_400);
  return market;
}

/** How much of the market's truth each crawl stores, and how much there is. */
async function held(
  sql: Sql,
  marketId: number,
  crawl: Crawl,
  { simulator }: TestMarket,
): Promise<[number, number]> {
  const [row] = await sql<Record<Crawl, number>[]>`
    select (select count(*)::int from latest_offer o join book b on b.id = o.book_id
        join scope s on s.id = b.scope_id where s.market_id = ${marketId}) as offers,
      (select count(*)::int from billing_entry where market_id = ${marketId} and kind = 'invoice') as invoices,
      (select count(*)::int from billing_entry where market_id = ${marketId} and kind = 'charge') as charges,
      (select count(*)::int from instance where market_id = ${marketId} and gone_at is null) as instances`;
  const rentable = simulator.offersAt().filter((row) => row.rentable === true && row.rented === false);
  const all = {
    offers: rentable.length,
    invoices: simulator.invoices().length,
    // An entry is an item of a charge.
    charges: simulator.charges().flatMap(({ items }) => items).length,
    instances: simulator.instances().length,
  };
  return [row?.[crawl] ?? 0, all[crawl]];
}

async function play(sql: Sql, crawl: Crawl, kind: string, count: '' | '#1') {
  const market = await openBusyMarket();
  const { id: marketId } = await ensureMarket(sql, uuidv7(), 'live');
  const timeouts = /hang|drip/.test(kind) ? slowDeadlines : otherDeadlines;
  const { client: plain, lines } = createTestClient(market.url, { timeouts });
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const askAgain = createAskAgain({ log, sleep: async () => {} });
  const now = () => new Date(openedAt.getTime() + 86_400_000);
  const common = { sql, askAgain, marketId, log, now };
  const ask = { cause: 'cron', tickAt: null, jobId: null } as const;
  const before = market.simulator.requests().length;
  market.simulator.setFaults([`${kind}:${shares[kind] ?? 1}${count}`]);
  const run = async (): Promise<string> => {
    if (crawl === 'offers') {
      const crawler = {
        ...common,
        crawlBook: createCrawlBook(plain, { ...defaultDialect.search, pageLimit: 5 }),
        allocatedStorageGb: 8,
        statistics: pointStatistics,
        maxBookMinutes: 120,
      };
      const runs = [{ ...ask, crawlId: uuidv7(), scope: defaultScope }];
      const [outcome] = await crawlOffers(crawler, { type: 'on-demand', crawls: runs });
      return outcome?.kind ?? 'none';
    }
    if (crawl === 'instances') {
      const outcome = await pollInstances({ ...common, account: plain }, { ...ask, crawlId: uuidv7() });
      return outcome.kind === 'polled' ? (outcome.unidentified > 0 ? 'partial' : 'complete') : outcome.kind;
    }
    const kindOfEntry = crawl === 'invoices' ? 'invoice' : 'charge';
    const crawler = { ...common, bills: createBills(plain), newId: uuidv7, pageLimit: 5 };
    return (await crawlBilling(crawler, { ...ask, crawlId: uuidv7(), kind: kindOfEntry })).kind;
  };
  const outcome = await run();
  const struck = market.simulator
    .requests()
    .slice(before)
    .filter(({ faults }) => faults.length > 0).length;
  const [stored, all] = await held(sql, marketId, crawl, market);
  expect(all).toBeGreaterThan(1);
  expect(lines.join('\n')).not.toContain(testKey.slice(0, 12));
  return { outcome, struck, stored, all };
}

describe('what a crawl makes of a fault', () => {
  let sql: Sql;

  beforeAll(async () => {
    ({ sql } = await createTestDatabase());
  });

  it('the table has every fault of the simulator, and no other', () => {
    expect([...table.keys()].sort()).toEqual(Object.keys(faultKinds).sort());
  });

  it.each(Object.keys(faultKinds))('%s', async (kind) => {
    await Promise.all(
      crawls.map(async (crawl) => {
        const [always, once] = await Promise.all([play(sql, crawl, kind, ''), play(sql, crawl, kind, '#1')]);
        const { outcome, stored, all } = always;
        const expected = table.get(kind)?.[crawl];
        if (expected === 'as shown') {
          expect([outcome, once.outcome, stored < all]).toEqual(['complete', 'complete', true]);
          return;
        }
        expect(outcome, `${crawl}, always`).toBe(expected);
        if (outcome === 'complete') expect(stored, `${crawl}, always`).toBe(all);
        if (outcome === 'failed') expect(stored, `${crawl}, always`).toBe(0);
        // One bad answer never costs a book, a reading or a poll.
        expect(once, `${crawl}, once`).toMatchObject({ outcome: 'complete', stored: once.all });
      }),
    );
  });
});
