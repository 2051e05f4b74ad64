import { beforeAll, describe, expect, it } from 'vitest';
import type { MarketsAnswer } from '../../src/books/markets.routes.ts';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import type { ExplanationAnswer } from '../../src/prices/explain/explanation-schema.ts';
import type { ForecastAnswer } from '../../src/prices/forecast/forecast.routes.ts';
import type { IndexAnswer } from '../../src/prices/index/price-index.routes.ts';
import type { MarketAnswer } from '../../src/prices/newest/market.routes.ts';
import type { OffersAnswer } from '../../src/prices/newest/offers.routes.ts';
import { putOnBlocklist } from '../../src/prices/rankings/blocklist.sql.ts';
import type { RankingsAnswer } from '../../src/prices/rankings/rankings.routes.ts';
import type { PatternsAnswer } from '../../src/prices/trends/patterns.routes.ts';
import type { WaitOrRentAnswer } from '../../src/prices/wait/wait-or-rent.routes.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { landOffers, makeOffer } from './made-offers.ts';

const at = '2026-07-30T00:00:00Z';
const both = 'market=test-market&market=other';

describe('deals and offers of two markets', () => {
  let test: TestApp;
  let otherId: number;

  beforeAll(async () => {
    test = await createTestApp();
    otherId = (await ensureMarket(test.sql, 'other', 'recorded')).id;
    const prices = (base: number, step: number) => Array.from({ length: 7 }, (_, n) => base + step * n);
    await landOffers(
      test.sql,
      test.market.id,
      at,
      prices(0.3, 0.1).map((usd, n) => makeOffer(n + 1, { baseUsdPerHour: usd, dlperf: 100 + n })),
    );
    // The same ids as the other market's, which mean nothing.
    await landOffers(
      test.sql,
      otherId,
      '2026-07-30T00:20:00Z',
      prices(0.25, 0.13).map((usd, n) => makeOffer(n + 1, { baseUsdPerHour: usd, dlperf: null })),
    );
  });

  const alone = async (market: string, query: string) =>
    (await test.json<RankingsAnswer>(`/api/rankings?market=${market}&${query}`)).items.map((item) => item);

  it('are ranked in one order, each with its market, value and verdict as alone', async () => {
    const answer = await test.json<RankingsAnswer>(`/api/rankings?${both}&by=usdPerGpuHour`);
    const each = [await alone('test-market', 'by=usdPerGpuHour'), await alone('other', 'by=usdPerGpuHour')];
    const plain = each.flat().sort((a, b) => a.value - b.value);
    expect(answer.items).toEqual(plain.map((item, index) => ({ ...item, rank: index + 1 })));
    expect(answer.items.filter(({ market }) => market === 'other')).toHaveLength(7);
    expect(answer.observedAt).toBe('2026-07-30T00:00:00.000Z');
  });

  it('have their ranks explained over all of them, as they are shown', async () => {
    for (const query of [`${both}&by=usdPerGpuHour`, both]) {
      const { items, by } = await test.json<RankingsAnswer>(`/api/rankings?${query}`);
      for (const { rank, value, listingId } of [items[0], items[4], items.at(-1)].filter((one) => !!one)) {
        const answer = await test.json<ExplanationAnswer>(
          `/api/explain?of=ranking&${query}&listingId=${listingId}`,
        );
        expect([answer.figure, answer.agrees, answer.taken]).toEqual([by, true, items.length]);
        expect(answer.value).toMatchObject({ rank, value });
        expect(answer.recomputed).toMatchObject({ rank, value, books: 2 });
        expect(answer.items.map((row) => [row.listingId, row.market])).toEqual(
          items.map((item) => [item.listingId, item.market]),
        );
      }
    }
  });

  it('are paged without a gap or a repeat', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: RankingsAnswer = await test.json<RankingsAnswer>(
        `/api/rankings?${both}&by=usdPerGpuHour&limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...page.items.map(({ market, offerId }) => `${market} ${offerId}`));
      cursor = page.nextCursor;
    }
    const whole = await test.json<RankingsAnswer>(`/api/rankings?${both}&by=usdPerGpuHour`);
    expect(seen).toEqual(whole.items.map(({ market, offerId }) => `${market} ${offerId}`));
  });

  it('are ranked by DLPerf if one market states it, and the offers of the other are counted', async () => {
    const answer = await test.json<RankingsAnswer>(`/api/rankings?${both}`);
    expect(answer.by).toBe('usdPerDlperfHour');
    expect(new Set(answer.items.map(({ market }) => market))).toEqual(new Set(['test-market']));
    expect(answer.unranked).toEqual([{ reason: 'no DLPerf score', offers: 7 }]);
    expect((await test.json<RankingsAnswer>('/api/rankings?market=other')).by).toBe('usdPerGpuHour');
  });

  it('leave out what is blocked in its own market alone', async () => {
    const entry = { kind: 'block' as const, machineId: 10, hostId: null, note: null, at: new Date(at) };
    await putOnBlocklist(test.sql, { ...entry, marketId: otherId });
    const { items, unranked } = await test.json<RankingsAnswer>(`/api/rankings?${both}&by=usdPerGpuHour`);
    expect(items.filter(({ machineId }) => machineId === 10).map(({ market }) => market)).toEqual([
      'test-market',
    ]);
    expect(unranked).toEqual([{ reason: 'blocked', offers: 1 }]);
    await test.sql`delete from blocklist_entry`;
  });

  it('are listed by model and price, each with its market', async () => {
    const { items } = await test.json<OffersAnswer>(`/api/offers?${both}&limit=5`);
    expect(items.map(({ market, baseUsdPerHour }) => [market, baseUsdPerHour])).toEqual([
      ['other', 0.25],
      ['test-market', 0.3],
      ['other', 0.38],
      ['test-market', 0.4],
      ['test-market', 0.5],
    ]);
  });

  it('are of markets that are listed, the default one first, each with its models and newest books', async () => {
    const { items, nextCursor } = await test.json<MarketsAnswer>('/api/markets');
    expect(nextCursor).toBeNull();
    const shared = {
      gpuNames: ['RTX 4090'],
      types: ['on-demand'],
      trust: ['verification', 'reliability'],
      rentingFeePercent: 0,
    };
    const bookAt = (observedAt: string) => [{ type: 'on-demand', observedAt, verdict: 'complete' }];
    expect(items).toEqual([
      {
        ...{ name: 'test-market', kind: test.market.kind, isDefault: true, ...shared },
        newestBooks: bookAt('2026-07-30T00:00:00.000Z'),
      },
      {
        ...{ name: 'other', kind: 'recorded', isDefault: false, ...shared },
        newestBooks: bookAt('2026-07-30T00:20:00.000Z'),
      },
    ]);
  });

  it('have a row a market and model, as each market has alone', async () => {
    const { items, observedAt } = await test.json<MarketAnswer>(`/api/market?${both}`);
    const own = async (market: string) =>
      (await test.json<MarketAnswer>(`/api/market?market=${market}`)).items;
    expect(items).toEqual([...(await own('test-market')), ...(await own('other'))]);
    expect(items.map(({ market, gpuName, offers }) => [market, gpuName, offers])).toEqual([
      ['test-market', 'RTX 4090', 7],
      ['other', 'RTX 4090', 7],
    ]);
    expect(observedAt).toBe('2026-07-30T00:00:00.000Z');
  });

  it('have an index a market, with the points that each has alone', async () => {
    const query = 'gpuName=RTX+4090&from=2026-07-29&to=2026-07-31';
    const { series } = await test.json<IndexAnswer>(`/api/index?${both}&${query}`);
    expect(series.map(({ key }) => key)).toEqual([
      'test-market|on-demand|RTX 4090',
      'other|on-demand|RTX 4090',
    ]);
    for (const { market, points, changes } of series) {
      const alone = await test.json<IndexAnswer>(`/api/index?market=${market}&${query}`);
      expect(alone.series).toEqual([{ key: 'RTX 4090', market, points, changes }]);
      expect(points).toHaveLength(1);
    }
  });

  it('each have forecasts, or the reason that there are none', async () => {
    const query = 'gpuName=RTX+4090&metric=index';
    const { series } = await test.json<ForecastAnswer>(`/api/forecast?${both}&${query}`);
    expect(series.map(({ key, market }) => [key, market])).toEqual([
      ['test-market|on-demand|RTX 4090', 'test-market'],
      ['other|on-demand|RTX 4090', 'other'],
    ]);
    for (const { market, key: _, ...forecast } of series) {
      const alone = await test.json<ForecastAnswer>(`/api/forecast?market=${market}&${query}`);
      expect(alone.series).toEqual([{ key: 'RTX 4090', market, ...forecast }]);
    }
  });

  it('have waiting and the hours of the week each, as each market has them alone', async () => {
    const query = 'gpuName=RTX+4090';
    const { others, ...wait } = await test.json<WaitOrRentAnswer>(`/api/wait-or-rent?${both}&${query}`);
    const { others: more, ...patterns } = await test.json<PatternsAnswer>(`/api/patterns?${both}&${query}`);
    expect([wait.market, wait.priceNow, ...others.map(({ market, priceNow }) => [market, priceNow])]).toEqual(
      ['test-market', expect.closeTo(0.301, 9), ['other', expect.closeTo(0.251, 9)]],
    );
    for (const found of [wait, ...others]) {
      const alone = await test.json<WaitOrRentAnswer>(`/api/wait-or-rent?market=${found.market}&${query}`);
      expect(alone).toEqual({ ...found, others: [] });
    }
    for (const found of [patterns, ...more]) {
      const alone = await test.json<PatternsAnswer>(`/api/patterns?market=${found.market}&${query}`);
      expect(alone).toEqual({ ...found, others: [] });
    }
    expect([patterns, ...more].map(({ hoursOfWeek }) => hoursOfWeek.map(({ median }) => median))).toEqual([
      [expect.closeTo(0.601, 9)],
      [expect.closeTo(0.641, 9)],
    ]);
  });

  it('refuse a market that is unknown and a cursor of other books', async () => {
    const { errors } = await test.problem('/api/rankings?market=test-market&market=elsewhere', 400);
    expect(errors.map(({ name }) => name)).toEqual(['market']);
    const { nextCursor } = await test.json<RankingsAnswer>(`/api/rankings?${both}&limit=1&by=usdPerGpuHour`);
    await landOffers(test.sql, otherId, '2026-07-30T01:00:00Z', [makeOffer(1)]);
    await test.problem(`/api/rankings?${both}&limit=1&by=usdPerGpuHour&cursor=${nextCursor}`, 409);
  });
});
