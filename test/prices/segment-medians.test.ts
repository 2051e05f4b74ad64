import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureMarket, ensureScope } from '../../src/books/markets.sql.ts';
import type { Offer } from '../../src/core/offer.ts';
import type { Verification } from '../../src/core/offer-fields.ts';
import { createOutlierTests, isOutlier } from '../../src/prices/verdicts/segment-medians.ts';
import { segmentPrices } from '../../src/prices/verdicts/segment-prices.sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { landOffers, makeOffer } from './made-offers.ts';
import { percentile } from './recorded-records.ts';

interface Book {
  at: Date;
  offers: Offer[];
  complete: boolean;
}

const hourMs = 3_600_000;
const tiers = ['verified', 'unverified', null] as const;

/** A market that changes from book to book: prices, presence and, by the day, verification. */
function makeBooks(random: (below: number) => number, count: number): Book[] {
  let at = Date.UTC(2026, 5, 1);
  const machines = Array.from({ length: 12 }, (_, index) => ({
    id: index + 1,
    gpuName: index % 3 === 0 ? 'H100 SXM' : 'RTX 4090',
    price: 20 + random(60),
    tier: tiers[random(3)] ?? null,
  }));
  return Array.from({ length: count }, () => {
    at += hourMs * (1 + random(20));
    for (const machine of machines) {
      if (random(4) === 0) machine.price = 20 + random(60);
      if (random(6) === 0) machine.tier = tiers[random(3)] ?? null;
    }
    const present = machines.filter(() => random(3) > 0);
    const offers = present.map(({ id, gpuName, price, tier }) =>
      makeOffer(id, {
        gpuName,
        verification: tier,
        numGpus: 2,
        baseUsdPerHour: price / 50,
        // Without a storage price an offer has no price at all.
        storageUsdPerGbMonth: id === 5 ? null : 0.09,
      }),
    );
    return { at: new Date(at), offers, complete: random(5) > 0 };
  }).filter((book) => book.offers.length > 0);
}

/** Each price once a complete book of the window, in the segment of its day's first complete book. */
function recompute(books: Book[], at: Date, days: number): Map<string, number[]> {
  const tierOfDay = new Map<string, Verification | null>();
  const prices = new Map<string, number[]>();
  for (const book of books.filter(({ complete }) => complete)) {
    for (const offer of book.offers) {
      const key = `${offer.offerId} ${book.at.toISOString().slice(0, 10)}`;
      const tier = tierOfDay.has(key) ? (tierOfDay.get(key) ?? null) : offer.verification;
      tierOfDay.set(key, tier);
      const inside = book.at <= at && book.at.getTime() > at.getTime() - days * 24 * hourMs;
      if (!inside || offer.storageUsdPerGbMonth === null) continue;
      const segment = `${offer.gpuName}|${tier}`;
      const price = (offer.baseUsdPerHour + (offer.storageUsdPerGbMonth * 8) / 720) / offer.numGpus;
      prices.set(segment, [...(prices.get(segment) ?? []), price]);
    }
  }
  return prices;
}

describe('segmentPrices', () => {
  let database: TestDatabase;
  let markets = 0;
  beforeAll(async () => {
    database = await createTestDatabase();
  });

  it('returns the median price per complete book, whatever changed when', async () => {
    const { sql } = database;
    await fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(fc.nat(1_000_000)),
        fc.integer({ min: 1, max: 9 }),
        async (stream, days) => {
          const draws = stream[Symbol.iterator]();
          const books = makeBooks((below) => Number(draws.next().value) % below, 25);
          markets += 1;
          const { id: marketId } = await ensureMarket(sql, `market ${markets}`, 'recorded');
          for (const { at, offers, complete } of books) {
            const verdict = complete ? 'complete' : 'partial';
            await landOffers(sql, marketId, at.toISOString(), offers, { verdict });
          }
          const scopeId = await ensureScope(sql, marketId, 'default');
          const series = { marketId, scopeId, type: 'on-demand' } as const;
          for (const at of [books.at(-1)?.at, books.at(-8)?.at].filter((each) => each !== undefined)) {
            const rows = await segmentPrices(sql, series, { at, days });
            const ofModel = await segmentPrices(sql, series, { at, days, gpuNames: ['H100 SXM', 'unknown'] });
            expect(ofModel).toEqual(rows.filter(({ gpuName }) => gpuName === 'H100 SXM'));
            expect(await segmentPrices(sql, series, { at, days, gpuNames: ['unknown'] })).toEqual([]);
            const wanted = recompute(books, at, days);
            expect(rows.map((row) => `${row.gpuName}|${row.verification}`).sort()).toEqual(
              [...wanted.keys()].sort(),
            );
            for (const { gpuName, verification, medianUsdPerGpuHour, observations } of rows) {
              const prices = wanted.get(`${gpuName}|${verification}`) ?? [];
              expect(observations).toBe(prices.length);
              expect(medianUsdPerGpuHour).toBeCloseTo(percentile(prices, 0.5), 12);
            }
          }
        },
      ),
      { numRuns: 6, seed: 20_260_731, endOnFailure: true },
    );
  });
});

describe('the outlier test', () => {
  it.each([
    [0.2499, 1, true],
    [0.25, 1, false],
    [4, 1, false],
    [4.0001, 1, true],
    [null, 1, null],
    [1, null, null],
  ])('%s, with a usual price of %s: %s', (price, usual, expected) => {
    expect(isOutlier(price, usual)).toBe(expected);
  });

  it('notices a book that landed since', async () => {
    const { sql } = await createTestDatabase();
    const { id: marketId } = await ensureMarket(sql, 'market', 'recorded');
    const series = {
      marketId,
      scopeId: await ensureScope(sql, marketId, 'default'),
      type: 'on-demand',
    } as const;
    const outlierTests = createOutlierTests(sql);
    const offer = { gpuName: 'RTX 4090', verification: 'verified', listedUsdPerGpuHour: 10 } as const;
    const at = new Date('2026-07-02T00:00:00Z');
    await landOffers(sql, marketId, at.toISOString(), [makeOffer(1)]);
    expect((await outlierTests(series, at))(offer)).toBe(true);
    // Late books of the window move the median too.
    for (const day of ['2026-07-01T00:00:00Z', '2026-07-01T12:00:00Z']) {
      await landOffers(sql, marketId, day, [makeOffer(2, { baseUsdPerHour: 9 })]);
    }
    expect((await outlierTests(series, at))(offer)).toBe(false);
    expect((await outlierTests(series, at))({ ...offer, gpuName: 'H100 SXM' })).toBeNull();
  });
});
