import { describe, expect, it } from 'vitest';
import { openLanding } from '../../src/books/landing/land-book.sql.ts';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { blankCertificate, complete } from '../../src/core/coverage.ts';
import { rentedScope } from '../../src/core/crawl-scope.ts';
import type { Offer } from '../../src/core/offer.ts';
import type { ListingAnswer, ListingHistoryAnswer } from '../../src/prices/listings/listings.routes.ts';
import type { RankingsAnswer } from '../../src/prices/rankings/rankings.routes.ts';
import { pointStatistics } from '../../src/prices/statistics/point-statistics.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { landOffers, makeOffer } from './made-offers.ts';

const at = (time: string): string => `2026-07-30T${time}:00.000Z`;
const small = (values: Partial<Offer> = {}) =>
  makeOffer(1, { machineId: 5, storageUsdPerGbMonth: 0, baseUsdPerHour: 0.4, ...values });
const large = () => makeOffer(2, { machineId: 5, numGpus: 2, storageUsdPerGbMonth: 0, baseUsdPerHour: 0.8 });

interface Landed {
  time: string;
  offers: Offer[];
  verdict?: 'partial';
}

/** Small and large are there; the price changes; a short absence; both vanish; the small one returns. */
const books: Landed[] = [
  { time: '00:00', offers: [small(), large()] },
  { time: '01:00', offers: [small(), large()] },
  { time: '02:00', offers: [small({ baseUsdPerHour: 0.5 }), large()] },
  { time: '02:05', offers: [makeOffer(9), large()] },
  { time: '02:10', offers: [makeOffer(9), large()] },
  { time: '02:14', offers: [small({ baseUsdPerHour: 0.5, offerId: 31 }), large()] },
  { time: '02:20', offers: [makeOffer(9)], verdict: 'partial' },
  { time: '03:00', offers: [makeOffer(9)] },
  { time: '04:00', offers: [makeOffer(9)] },
  { time: '05:00', offers: [makeOffer(9), small({ baseUsdPerHour: 0.5, offerId: 32 })] },
];

async function landAll(test: TestApp, order: readonly Landed[]): Promise<void> {
  for (const { time, offers, verdict } of order) {
    await landOffers(test.sql, test.market.id, at(time), offers, verdict === undefined ? {} : { verdict });
  }
}

async function landRented(test: TestApp, time: string, offers: Offer[]): Promise<void> {
  const landing = await openLanding(test.sql, {
    ...{
      marketId: test.market.id,
      scopeName: rentedScope.name,
      type: 'on-demand',
      allocatedStorageGb: 8,
      statistics: pointStatistics,
    },
  });
  try {
    await landing.stage(offers);
    await landing.land({
      observedAt: new Date(at(time)),
      startedAt: new Date(at(time)),
      coverage: complete('declared'),
      certificate: { ...blankCertificate('none'), rows: offers.length, accepted: offers.length },
    });
  } finally {
    await landing.close();
  }
}

const listingIdOf = async (test: TestApp, numGpus: number): Promise<number> => {
  const [row] = await test.sql<{ id: number }[]>`
    select id from listing where machine_id = 5 and num_gpus = ${numGpus}`;
  return row?.id ?? 0;
};

const history = async (test: TestApp, numGpus: number, query = '') =>
  await test.json<ListingHistoryAnswer>(`/api/listings/${await listingIdOf(test, numGpus)}/history${query}`);

describe('/api/listings/{id}', () => {
  it('returns the listing that rankings name, with its newest offer as the market delivered it', async () => {
    const test = await createTestApp();
    await landAll(test, books);
    const { items } = await test.json<RankingsAnswer>('/api/rankings');
    const ranked = items.find(({ machineId }) => machineId === 5);
    const listing = await test.json<ListingAnswer>(`/api/listings/${ranked?.listingId}`);
    expect(listing).toEqual({
      id: ranked?.listingId,
      market: 'test-market',
      machineId: 5,
      hostId: 7,
      gpuName: 'RTX 4090',
      numGpus: 1,
      type: 'on-demand',
      ordinal: 1,
      observedAt: at('05:00'),
      bookVerdict: 'complete',
      offerId: 32,
      newest: expect.objectContaining({
        ...{ listingId: ranked?.listingId, machineId: 5, usdPerGpuHour: ranked?.usdPerGpuHour },
        verdict: ranked?.verdict,
      }),
      lowestVerified: expect.objectContaining({ verification: 'verified', usdPerGpuHour: 0.401 }),
      raw: expect.objectContaining({ machineId: 5, baseUsdPerHour: 0.5 }),
    });
    for (const id of ['999999', '0', 'x', '1e3']) {
      await test.problem(`/api/listings/${id}`, 404);
      await test.problem(`/api/listings/${id}/history`, 404);
    }
  });

  it('has prices, presence and episodes, whatever the order of the books', async () => {
    const test = await createTestApp();
    await landAll(test, books);
    const answer = await history(test, 1, '?downGb=72&storageGb=0');
    expect(answer.presence).toEqual([
      { from: at('00:00'), to: at('02:00'), open: false },
      { from: at('02:14'), to: at('02:14'), open: false },
      { from: at('05:00'), to: at('05:00'), open: true },
    ]);
    const run = { minBidUsdPerHour: 0.2, inetDownUsdPerGb: 0.01, storageUsdPerGbMonth: 0 };
    expect(answer.priceIntervals).toMatchObject([
      { ...run, from: at('00:00'), to: at('02:00'), usdPerHour: 0.4 },
      { ...run, from: at('02:00'), to: null, usdPerHour: 0.5, usdPerGpuHour: 0.5 },
    ]);
    // 72 GB at a cent, over 720 hours.
    expect(answer.priceIntervals.map(({ allInUsdPerHour }) => allInUsdPerHour)).toEqual([
      expect.closeTo(0.401, 12),
      expect.closeTo(0.501, 12),
    ]);
    const unknown = { rented: null, clearingUsdPerGpuHour: null };
    expect(answer.episodes).toEqual([
      {
        ...unknown,
        startedAt: at('00:00'),
        lastSeenAt: at('01:00'),
        endedAt: at('02:00'),
        endedBy: 'repriced',
        listedForSeconds: 7200,
        lastAskUsdPerGpuHour: 0.4,
      },
      {
        // The absence until 02:14 is too short; the partial book of 02:20 says nothing.
        ...unknown,
        startedAt: at('02:00'),
        lastSeenAt: at('02:14'),
        endedAt: at('03:00'),
        endedBy: 'gone',
        listedForSeconds: 3600,
        lastAskUsdPerGpuHour: 0.5,
      },
      {
        ...unknown,
        startedAt: at('05:00'),
        lastSeenAt: at('05:00'),
        endedAt: null,
        endedBy: null,
        listedForSeconds: 0,
        lastAskUsdPerGpuHour: 0.5,
      },
    ]);
    const whole = await history(test, 2);
    expect(whole.episodes.map(({ endedBy, endedAt }) => [endedBy, endedAt])).toEqual([
      ['chunkTaken', at('03:00')],
    ]);
    expect(answer.attributes).toMatchObject([{ from: '2026-07-30', to: null, country: 'DE', hostId: 7 }]);
    expect(answer.truncated).toBe(false);

    const other = await createTestApp();
    const order = [4, 9, 0, 7, 2, 6, 1, 8, 3, 5].flatMap((index) => books[index] ?? []);
    await landAll(other, [...order, ...order.slice(0, 3)]);
    for (const [numGpus, wanted] of [
      [1, answer],
      [2, whole],
    ] as const) {
      const { listingId, ...found } = await history(
        other,
        numGpus,
        numGpus === 1 ? '?downGb=72&storageGb=0' : '',
      );
      expect({ ...found, listingId: wanted.listingId }).toEqual(wanted);
    }
  });

  it('stays within the range', async () => {
    const test = await createTestApp();
    await landAll(test, books);
    const { presence, episodes, priceIntervals } = await history(
      test,
      1,
      '?from=2026-07-30T02:05:00Z&to=2026-07-30T04:00:00Z',
    );
    expect(presence).toEqual([{ from: at('02:14'), to: at('02:14'), open: false }]);
    expect(episodes.map(({ startedAt }) => startedAt)).toEqual([at('02:00')]);
    expect(priceIntervals).toHaveLength(1);
  });

  it('reports that a listing is gone for good, however often it is asked', async () => {
    const test = await createTestApp();
    await landAll(test, books.slice(0, -1));
    // More often than there are connections: the second time each of them knows the statement.
    for (let time = 0; time < 12; time += 1) {
      const { episodes } = await history(test, 1);
      expect(episodes.at(-1)).toMatchObject({ endedBy: 'gone', rented: null });
    }
  });

  it('says rented, with the clearing price, only if the second scope saw the machine', async () => {
    const test = await createTestApp();
    await landAll(test, books);
    const endOf = async () => {
      const { episodes } = await history(test, 1);
      return episodes
        .filter(({ endedBy }) => endedBy === 'gone')
        .map(({ rented, clearingUsdPerGpuHour }) => [rented, clearingUsdPerGpuHour]);
    };
    // A part of the machine that was rented all along says nothing of this one.
    const other = makeOffer(79, { machineId: 5, numGpus: 4 });
    await landRented(test, '00:30', [other]);
    expect(await endOf()).toEqual([[null, null]]);
    await landRented(test, '03:30', [makeOffer(77, { machineId: 6 }), other]);
    expect(await endOf()).toEqual([[false, null]]);
    await landRented(test, '04:30', [small({ offerId: 78 }), other]);
    expect(await endOf()).toEqual([[true, 0.5]]);
  });

  it('belongs to its own market, whatever the default market is', async () => {
    const test = await createTestApp();
    const { id } = await ensureMarket(test.sql, 'other', 'recorded');
    await landOffers(test.sql, id, at('00:00'), [small()]);
    const { market } = await test.json<ListingAnswer>(`/api/listings/${await listingIdOf(test, 1)}`);
    expect(market).toBe('other');
  });
});
