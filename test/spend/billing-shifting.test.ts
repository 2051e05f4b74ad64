import { beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../prove/seeded-random.ts';
import type { Sql } from '../../src/database/connection.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { type BillingRecord, crawledS, payment, payments, startBillingMarket } from './billing-market.ts';
import { crawlBills, createBillingCrawler, storedBills } from './test-billing.ts';

/** The stored entries as far as the records that they are of, in one order. */
const storedAs = async (sql: Sql, marketId: number): Promise<string[]> =>
  (await storedBills(sql, marketId))
    .filter(({ disappeared }) => !disappeared)
    .map(({ identity, amountUsd, endAt, description }) =>
      JSON.stringify([identity, amountUsd, endAt?.getTime() ?? null, description]),
    )
    .sort();

/** The expected stored records, written without the program's own code. */
const wanted = (records: readonly BillingRecord[]): string[] =>
  records
    .map((record) => {
      const { start, end, type, source, description, amount, metadata } = record;
      const { invoice_id: id, service } = metadata as { invoice_id: number; service: string };
      const startAt = new Date(start * 1_000).toISOString();
      const endMs = typeof end === 'number' ? end * 1_000 : null;
      return JSON.stringify([
        JSON.stringify([id, service, type, startAt, source]),
        String(amount),
        endMs,
        description,
      ]);
    })
    .sort();

describe('invoices whose pages move while they are read', () => {
  let sql: Sql;

  beforeAll(async () => {
    ({ sql } = await createTestDatabase());
  });

  const early = () => payment(500, crawledS - 36 * 3_600);
  const changes: [string, (records: BillingRecord[]) => void, RegExp | null][] = [
    ['nothing moves', () => {}, null],
    ['one arrives before the page', (records) => void records.unshift(early()), /total went from 37 to 38/],
    ['one arrives at the end', (records) => void records.push(payment(501, crawledS)), /from 37 to 38/],
    ['one vanishes before the page', (records) => void records.splice(2, 1), /from 37 to 36/],
    ['one vanishes after the page', (records) => void records.splice(33, 1), /from 37 to 36/],
    ['one arrives and one vanishes before the page', (records) => void records.splice(2, 1, early()), null],
    [
      'one arrives before the page and one vanishes after it',
      (records) => {
        records.splice(33, 1);
        records.unshift(early());
      },
      /1 entries are on more than one page/,
    ],
    [
      'a page full arrives before the page',
      (records) => void records.unshift(...manyEarly()),
      /from 37 to 47/,
    ],
  ];
  const manyEarly = () =>
    Array.from({ length: 10 }, (_, at) => payment(600 + at, crawledS - 36 * 3_600 + at));

  it.each(changes)('%s: what was listed throughout is stored once', async (_, change, moved) => {
    const records = payments(37);
    const atFirst = wanted(records);
    const market = await startBillingMarket(records, {
      beforeAnswer: (number) => {
        if (number === 3) change(records);
        return undefined;
      },
    });
    const crawler = await createBillingCrawler(sql, market);
    const { kind, certificate } = await crawlBills(crawler);
    expect(kind).toBe('complete');
    if (moved === null) expect(certificate).toMatchObject({ moved: null, parts: 0, pages: 4 });
    else expect(certificate.moved).toMatch(moved);
    const stored = await storedAs(sql, crawler.marketId);
    const atLast = wanted(records);
    const throughout = atFirst.filter((record) => atLast.includes(record));
    expect(throughout.filter((record) => !stored.includes(record))).toEqual([]);
    expect(stored.filter((record) => !atFirst.includes(record) && !atLast.includes(record))).toEqual([]);
    expect(new Set(stored).size).toBe(stored.length);
    if (moved !== null) expect(stored).toEqual(atLast);
    await crawlBills(crawler);
    await crawlBills(crawler);
    expect(await storedAs(sql, crawler.marketId)).toEqual(atLast);
  });

  it('is complete with every response although many more arrive at the end than a page holds', async () => {
    const records = payments(37);
    let id = 1_000;
    const market = await startBillingMarket(records, {
      beforeAnswer: (number) => {
        for (let more = 0; more < 4 && number < 30; more += 1) {
          id += 1;
          records.push(payment(id, crawledS - 3_000 + (id % 40) * 60));
        }
        return undefined;
      },
    });
    const crawler = await createBillingCrawler(sql, market);
    const atFirst = wanted(records);
    const { kind, certificate } = await crawlBills(crawler);
    expect(kind).toBe('complete');
    expect(certificate.unprovedParts).toBe(0);
    const stored = await storedAs(sql, crawler.marketId);
    expect(atFirst.filter((record) => !stored.includes(record))).toEqual([]);
    await crawlBills(crawler);
    expect(await storedAs(sql, crawler.marketId)).toEqual(wanted(records));
  });

  it('keeps equal entries on two pages, and does not mistake a repeated row for one', async () => {
    const twin = () => payment(500, crawledS - 27.5 * 3_600);
    const records = [...payments(37), twin(), twin()];
    const market = await startBillingMarket(records, {
      beforeAnswer: (number) => {
        if (number === 2) records.unshift(early());
        return undefined;
      },
    });
    const crawler = await createBillingCrawler(sql, market);
    const { kind, certificate } = await crawlBills(crawler);
    expect(kind).toBe('complete');
    expect(certificate.parts).toBeGreaterThan(3);
    expect(await storedAs(sql, crawler.marketId)).toEqual(wanted(records));
  });

  it('keeps equal entries of one second that no page holds, proved by two identical readings', async () => {
    const twins = Array.from({ length: 25 }, () => payment(500, crawledS - 5_000));
    const records = [...payments(12), ...twins];
    const market = await startBillingMarket(records);
    const crawler = await createBillingCrawler(sql, market);
    const { kind, certificate } = await crawlBills(crawler);
    expect(kind).toBe('complete');
    expect(certificate.moved).toMatch(/1 entries are on more than one page/);
    expect(await storedAs(sql, crawler.marketId)).toEqual(wanted(records));
    const stored = await storedBills(sql, crawler.marketId);
    expect(
      stored.filter(({ identity }) => identity.startsWith('[500,')).map(({ ordinal }) => ordinal),
    ).toEqual(Array.from({ length: 25 }, (_, at) => at + 1));
  });

  it('is partial if every part keeps changing, and no entry is stored twice', async () => {
    const crowd = Array.from({ length: 30 }, (_, at) => payment(500 + at, crawledS - 5_000));
    const records = [...payments(12), ...crowd];
    let added = 0;
    const market = await startBillingMarket(records, {
      beforeAnswer: () => {
        added += 1;
        records.unshift(payment(1_000 + added, crawledS - 5_000));
        return undefined;
      },
    });
    const crawler = await createBillingCrawler(sql, market);
    const { kind, certificate } = await crawlBills(crawler);
    expect(kind).toBe('partial');
    expect(certificate.unprovedParts).toBeGreaterThan(0);
    const stored = await storedAs(sql, crawler.marketId);
    expect(new Set(stored).size).toBe(stored.length);
    expect(stored.filter((record) => !wanted(records).includes(record))).toEqual([]);
    // Nothing is held against entries that such a reading lacks, and the next reads all again.
    expect((await storedBills(sql, crawler.marketId)).every(({ missed }) => missed === 0)).toBe(true);
    const asked = market.questions.length;
    await crawlBills(crawler);
    expect(market.questions[asked]?.filters).toBe('{"when":{"gte":0}}');
  });

  const seeds = Array.from({ length: Number(process.env.PROPERTY_RUNS ?? 12) }, (_, at) => at + 1);
  it.each(seeds)('any change between pages keeps every stable entry, seed %i', async (seed) => {
    const random = createRandom(Number(process.env.PROPERTY_SEED ?? 0) + seed);
    const records = payments(20 + Math.floor(random() * 60));
    const atFirst = new Map(records.map((record) => [JSON.stringify(record), record]));
    const ever = new Set(wanted(records));
    let next = 1_000;
    let quiet = false;
    const disturb = (): void => {
      while (random() < 0.5) {
        const place = Math.floor(random() * records.length);
        const other = records[place];
        const start = crawledS - Math.floor(random() * 90 * 3_600);
        const kind = random();
        next += 1;
        if (kind < 0.4) records.push(payment(next, start));
        else if (kind < 0.5 && other !== undefined) records.push({ ...other });
        else if (kind < 0.8) records.splice(place, 1);
        else if (other !== undefined)
          records[place] = { ...other, end: null, description: `Changed ${next}` };
      }
      for (const record of wanted(records)) ever.add(record);
    };
    const market = await startBillingMarket(records, {
      tokens: random() < 0.7 ? 'offset' : 'last-row',
      beforeAnswer: (number) => {
        if (!quiet && number > 1) disturb();
        return undefined;
      },
    });
    const crawler = await createBillingCrawler(sql, market, { pageLimit: 3 + Math.floor(random() * 20) });
    for (let reading = 0; reading < 3; reading += 1) {
      const { kind } = await crawlBills(crawler);
      const stored = await storedAs(sql, crawler.marketId);
      expect(stored.filter((record) => !ever.has(record))).toEqual([]);
      if (reading > 0 || kind !== 'complete') continue;
      const throughout = wanted(records.filter((record) => atFirst.get(JSON.stringify(record)) === record));
      expect(throughout.filter((record) => !stored.includes(record))).toEqual([]);
    }
    quiet = true;
    for (let reading = 0; reading < 2; reading += 1) await crawlBills(crawler);
    expect(await storedAs(sql, crawler.marketId)).toEqual(wanted(records));
  });
});
