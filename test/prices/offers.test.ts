import { beforeAll, describe, expect, it } from 'vitest';
import type { Offer } from '../../src/core/offer.ts';
import type { Sql } from '../../src/database/connection.ts';
import type { OffersAnswer } from '../../src/prices/newest/offers.routes.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { landOffers, makeOffer } from './made-offers.ts';

describe('GET /api/offers', () => {
  const unknown: Partial<Offer> = {
    hostId: null,
    storageUsdPerGbMonth: null,
    inetDownUsdPerGb: null,
    inetUpUsdPerGb: null,
    minBidUsdPerHour: null,
    dlperf: null,
    reliability: null,
    gpuRamMb: null,
    totalTflops: null,
    country: null,
    verification: null,
    cudaMaxGood: null,
    driverVersion: null,
    inetDown: null,
    inetUp: null,
    datacenter: null,
    staticIp: null,
    diskSpaceGb: null,
    cpuCores: null,
    cpuCoresEffective: null,
    cpuRamMb: null,
    cpuName: null,
    maxDurationHours: null,
    gpuIds: null,
  };
  const offers = [
    makeOffer(1),
    makeOffer(2, { numGpus: 4, gpuIds: [4, 5, 6, 7], baseUsdPerHour: 1.2, hostId: 8, country: 'US' }),
    makeOffer(3, { gpuName: 'RTX 3090', verification: 'unverified', datacenter: false, staticIp: false }),
    makeOffer(4, { reliability: 0.9, gpuRamMb: 12_000, cudaMaxGood: 11.8, diskSpaceGb: 20 }),
    makeOffer(5, { inetDown: 10, inetUp: 5, machineId: 999 }),
    makeOffer(6, unknown),
  ];
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp();
    await landOffers(test.sql, test.market.id, '2026-07-30T00:00:00Z', offers);
  });

  const ids = async (query: string): Promise<number[]> => {
    const { items } = await test.json<OffersAnswer>(`/api/offers?${query}`);
    return items.map(({ offerId }) => offerId).sort();
  };

  it('returns every field with its current value', async () => {
    const { items, observedAt, bookVerdict } = await test.json<OffersAnswer>('/api/offers?storageGb=72');
    expect([observedAt, bookVerdict]).toEqual(['2026-07-30T00:00:00.000Z', 'complete']);
    const item = items.find(({ offerId }) => offerId === 2);
    const { listedUsdPerHour: _, raw: __, ...values } = offers[1] ?? makeOffer(2);
    expect(item).toEqual({
      ...values,
      market: 'test-market',
      listingId: expect.stringMatching(/^\d+$/),
      usdPerHour: expect.closeTo(1.2 + (0.09 * 72) / 720, 12),
      usdPerGpuHour: expect.closeTo((1.2 + (0.09 * 72) / 720) / 4, 12),
      allInUsdPerHour: expect.closeTo(1.2 + (0.09 * 72) / 720, 12),
      isOutlier: false,
    });
  });

  it('returns null for what the market did not state, and leaves nothing out', async () => {
    const { items } = await test.json<OffersAnswer>('/api/offers');
    const item = items.find(({ offerId }) => offerId === 6);
    const known = items.find(({ offerId }) => offerId === 1);
    expect(Object.keys(item ?? {}).sort()).toEqual(Object.keys(known ?? {}).sort());
    expect(item).toMatchObject({
      ...unknown,
      usdPerHour: null,
      usdPerGpuHour: null,
      allInUsdPerHour: null,
      isOutlier: null,
    });
  });

  it('orders by model and price per GPU, unknown prices last', async () => {
    const { items } = await test.json<OffersAnswer>('/api/offers');
    expect(items.map(({ offerId }) => offerId)).toEqual([3, 2, 1, 4, 5, 6]);
  });

  it.each([
    ['gpuName=RTX+3090', [3]],
    ['gpuName=RTX+3090&gpuName=RTX+4090', [1, 2, 3, 4, 5, 6]],
    ['numGpus=4', [2]],
    ['numGpus=1&numGpus=4', [1, 2, 3, 4, 5, 6]],
    ['verification=unverified', [3]],
    ['country=us', [2]],
    ['datacenter=false', [3]],
    ['staticIp=true', [1, 2, 4, 5]],
    ['minReliability=0.95', [1, 2, 3, 5]],
    ['minVramGb=24', [1, 2, 3, 5]],
    ['minCuda=12', [1, 2, 3, 5]],
    ['minDiskGb=100', [1, 2, 3, 5]],
    ['minInetDown=100', [1, 2, 3, 4]],
    ['minInetUp=100', [1, 2, 3, 4]],
    ['maxUsdPerHour=0.5', [1, 3, 4, 5]],
    ['maxUsdPerHour=0.45&storageGb=800', []],
    ['machineId=999', [5]],
    ['hostId=8', [2]],
    ['excludeMachineId=999', [1, 2, 3, 4, 6]],
    // An unknown host is not known to be the one left out.
    ['excludeHostId=7', [2, 6]],
    ['country=DE&numGpus=4', []],
    ['type=bid', []],
  ])('filters by %s', async (query, wanted) => {
    expect(await ids(query)).toEqual(wanted);
  });

  it('returns every offer once across pages', async () => {
    const { items: whole } = await test.json<OffersAnswer>('/api/offers');
    const paged = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer: OffersAnswer = await test.json(`/api/offers?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(answer.items.length).toBeLessThanOrEqual(2);
      paged.push(...answer.items);
      cursor = answer.nextCursor;
    }
    expect(paged).toEqual(whole);
  });

  it('reads the named market', async () => {
    const [other] = await test.sql<{ id: number }[]>`
      insert into market (name, kind) values ('other', 'recorded') returning id`;
    await landOffers(test.sql, other?.id ?? 0, '2026-07-29T00:00:00Z', [makeOffer(77)]);
    expect(await ids('market=other')).toEqual([77]);
    const { detail } = await test.problem('/api/offers?market=nowhere', 400);
    expect(detail).toContain('other, test-market');
  });

  it('reads everything from the newer book if one lands between its reads', async () => {
    const newer = [makeOffer(2), makeOffer(3, { baseUsdPerHour: 0.5 }), makeOffer(4)];
    let landing: TestApp;
    let landed = 0;
    const readSql = landingBefore(
      () => landing.sql,
      /from latest_offer/,
      async () => {
        if (landed === 0) await landOffers(landing.sql, landing.market.id, '2026-07-30T01:00:00Z', newer);
        landed += 1;
      },
    );
    landing = await createTestApp({ readSql });
    await landOffers(landing.sql, landing.market.id, '2026-07-30T00:00:00Z', [makeOffer(1), makeOffer(2)]);
    const answer = await landing.json<OffersAnswer>('/api/offers');
    expect(answer.observedAt).toBe('2026-07-30T01:00:00.000Z');
    expect(answer.items.map(({ offerId }) => offerId).sort()).toEqual([2, 3, 4]);
    expect(landed).toBe(2);
    const none = await landing.json<OffersAnswer>('/api/offers?minReliability=1');
    expect([none.items, none.bookVerdict]).toEqual([[], 'complete']);
  });
});

/** The connection, where statements that match wait for `before`; parts of others are left as they are. */
function landingBefore(sql: () => Sql, statement: RegExp, before: () => Promise<void>): Sql {
  return new Proxy((() => {}) as unknown as Sql, {
    get: (_, name) => Reflect.get(sql(), name),
    apply: (_, __, args: [TemplateStringsArray, ...never[]]) => {
      const query = Reflect.apply(sql(), undefined, args) as Promise<unknown>;
      if (!Array.isArray(args[0].raw) || !statement.test(args[0].join('$'))) return query;
      return new Proxy(query, {
        // It runs when it is waited for.
        get: (_, name) => {
          if (name !== 'then') return Reflect.get(query, name);
          return (...ends: Parameters<typeof query.then>) => before().then(() => query.then(...ends));
        },
      });
    },
  });
}
