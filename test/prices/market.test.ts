import { describe, expect, it } from 'vitest';
import type { Offer } from '../../src/core/offer.ts';
import { changeSentences } from '../../src/prices/index/describe-changes.ts';
import { noIndexWords } from '../../src/prices/index/index-change.ts';
import type { IndexAnswer } from '../../src/prices/index/price-index.routes.ts';
import type { MarketAnswer } from '../../src/prices/newest/market.routes.ts';
import type { TrendsAnswer } from '../../src/prices/trends/trends.routes.ts';
import { loadConfig } from '../../src/service/config.ts';
import type { StatusAnswer } from '../../src/service/http/status.routes.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { createTestApp } from '../support/test-app.ts';
import { databaseUrl } from '../support/test-database.ts';
import { landOffers, makeOffer } from './made-offers.ts';

/** Three offers around a median price, without storage. */
const around = (median: number, values: Partial<Offer> = {}): Offer[] =>
  [-0.1, 0, 0.1].map((step, index) =>
    makeOffer(index + 1, {
      baseUsdPerHour: Number((median + step).toFixed(2)),
      storageUsdPerGbMonth: 0,
      ...values,
    }),
  );

describe('GET /api/market', () => {
  it('is empty for a market without books', async () => {
    const test = await createTestApp();
    expect(await test.json('/api/market')).toEqual({
      observedAt: null,
      bookVerdict: null,
      type: 'on-demand',
      unit: 'USD/GPU/hour',
      items: [],
    });
  });

  it('has a row per model with price, changes, supply, sparkline and bid spread', async () => {
    const test = await createTestApp();
    const { sql, market } = test;
    const h100 = makeOffer(50, {
      gpuName: 'H100 SXM',
      numGpus: 2,
      baseUsdPerHour: 4,
      storageUsdPerGbMonth: 0,
    });
    // The nearest complete book not after each moment; partial books do not count.
    await landOffers(sql, market.id, '2026-06-30T10:00:00Z', around(0.8));
    await landOffers(sql, market.id, '2026-07-23T12:00:00Z', around(0.4));
    await landOffers(sql, market.id, '2026-07-29T06:00:00Z', around(0.6));
    await landOffers(sql, market.id, '2026-07-29T11:00:00Z', around(0.9), { verdict: 'partial' });
    await landOffers(sql, market.id, '2026-07-29T13:00:00Z', around(0.7));
    const outlier = makeOffer(9, { baseUsdPerHour: 0.01, storageUsdPerGbMonth: 0, machineId: 10 });
    await landOffers(sql, market.id, '2026-07-30T12:00:00Z', [...around(0.5), outlier, h100]);
    await landOffers(sql, market.id, '2026-07-30T12:05:00Z', around(0.2), { type: 'bid' });
    const answer = await test.json<MarketAnswer>('/api/market');
    expect([answer.observedAt, answer.bookVerdict]).toEqual(['2026-07-30T12:00:00.000Z', 'complete']);
    expect(answer.items.map(({ gpuName }) => gpuName)).toEqual(['H100 SXM', 'RTX 4090']);
    const [other, model] = answer.items;
    // 0.01, 0.4, 0.5, 0.6: the outlier counts in the median and not as the lowest price.
    expect(model).toMatchObject({
      offers: 4,
      gpus: 4,
      machines: 3,
      median: expect.closeTo(0.45, 9),
      lowest: 0.4,
      changes: [
        { days: 1, medianPercent: expect.closeTo((100 * (0.45 - 0.65)) / 0.65, 7) },
        { days: 7, medianPercent: expect.closeTo((100 * (0.45 - 0.4)) / 0.4, 7) },
        { days: 27, percent: null, medianPercent: null, status: 'insufficient' },
      ],
      bidMedian: expect.closeTo(0.2, 9),
      bidSpreadPercent: expect.closeTo((100 * (0.45 - 0.2)) / 0.45, 9),
    });
    expect(model?.sparkline).toEqual([
      { t: '2026-07-23T00:00:00.000Z', median: expect.closeTo(0.4, 9) },
      { t: '2026-07-29T00:00:00.000Z', median: expect.closeTo(0.65, 9) },
      { t: '2026-07-30T00:00:00.000Z', median: expect.closeTo(0.45, 9) },
    ]);
    expect(other).toMatchObject({
      median: 2,
      gpus: 2,
      changes: [1, 7, 27].map((days) => ({ days, percent: null, medianPercent: null })),
      bidMedian: null,
      bidSpreadPercent: null,
    });
    // The same changes as the index has, prices like for like beside the median.
    for (const { gpuName, changes } of answer.items) {
      const { series } = await test.json<IndexAnswer>(`/api/index?gpuName=${encodeURIComponent(gpuName)}`);
      expect(changes).toEqual(series[0]?.changes);
    }
    // The same words as in trends, of the same book.
    for (const { gpuName, gpus, physicalGpus, physicalGpusIsLowerBound, offers, machines } of answer.items) {
      const query = `bucket=book&from=2026-07-30T12:00:00Z&gpuName=${encodeURIComponent(gpuName)}`;
      const { series } = await test.json<TrendsAnswer>(`/api/trends?${query}`);
      expect(series[0]?.points.at(-1)).toMatchObject({
        ...{ gpus, physicalGpus, physicalGpusIsLowerBound, offers, machines },
      });
    }
    const bids = await test.json<MarketAnswer>('/api/market?type=bid');
    expect(bids.items).toMatchObject([{ gpuName: 'RTX 4090', bidMedian: null }]);
  });

  it('follows the next book', async () => {
    const test = await createTestApp();
    const { sql, market } = test;
    await landOffers(sql, market.id, '2026-07-29T12:00:00Z', around(0.4));
    expect((await test.json<MarketAnswer>('/api/market')).items[0]?.median).toBeCloseTo(0.4, 9);
    await landOffers(sql, market.id, '2026-07-30T12:00:00Z', around(0.5));
    expect((await test.json<MarketAnswer>('/api/market')).items[0]).toMatchObject({
      median: expect.closeTo(0.5, 9),
      changes: [
        // 0.3, 0.4 and 0.5 became 0.4, 0.5 and 0.6.
        {
          days: 1,
          percent: expect.closeTo(100 * (Math.cbrt(2) - 1), 7),
          medianPercent: expect.closeTo(25, 7),
        },
        { days: 7, status: 'insufficient' },
        { days: 27, status: 'insufficient' },
      ],
    });
    // A late one, nearer to a day before than the first.
    await landOffers(sql, market.id, '2026-07-29T11:59:00Z', around(0.3));
    await landOffers(sql, market.id, '2026-07-23T11:59:00Z', around(0.25));
    expect((await test.json<MarketAnswer>('/api/market')).items[0]).toMatchObject({
      changes: [
        { days: 1, medianPercent: expect.closeTo((100 * (0.5 - 0.35)) / 0.35, 7) },
        { days: 7, medianPercent: expect.closeTo(100, 7) },
        { days: 27 },
      ],
    });
  });

  it('compares medians up to the newest day of the index if the newest book adds no day', async () => {
    const test = await createTestApp();
    const { sql, market } = test;
    await landOffers(sql, market.id, '2026-07-01T12:00:00Z', around(0.4));
    await landOffers(sql, market.id, '2026-07-28T12:00:00Z', around(0.5));
    // Listings that differ only in their ordinal, at other prices.
    const twins = around(0.9).map((offer) => ({ ...offer, offerId: offer.offerId + 100 }));
    await landOffers(sql, market.id, '2026-08-02T12:00:00Z', [...around(0.5), ...twins]);
    const { items } = await test.json<MarketAnswer>('/api/market');
    const { series } = await test.json<IndexAnswer>('/api/index?gpuName=RTX+4090');
    expect(items[0]?.changes[2]).toMatchObject({ days: 27, medianPercent: expect.closeTo(25, 7) });
    expect(items[0]?.changes).toEqual(series[0]?.changes);
    expect(items[0]?.sparkline.map(({ t }) => t.slice(0, 10))).toEqual(['2026-07-28', '2026-08-02']);
  });

  it('says of books from before there was an index how to make it, wherever a change would be', async () => {
    const test = await createTestApp();
    const { sql, market, target } = test;
    for (const day of ['2026-07-28', '2026-07-29', '2026-07-30'])
      await landOffers(sql, market.id, `${day}T12:00:00Z`, around(0.4));
    const status = async () => await test.json<StatusAnswer>('/api/status');
    expect((await status()).typesWithoutIndex).toEqual([]);
    await sql`delete from index_day`;
    await sql`delete from index_observation`;
    expect((await status()).typesWithoutIndex).toEqual(['on-demand']);
    const { items } = await test.json<MarketAnswer>('/api/market');
    const { series } = await test.json<IndexAnswer>('/api/index?gpuName=RTX+4090');
    for (const changes of [items[0]?.changes, series[0]?.changes]) {
      expect(changes?.map(({ words }) => words)).toEqual(new Array(3).fill(noIndexWords));
      expect(changeSentences(changes ?? [])[1]).toBe(`7 days: ${noIndexWords}.`);
    }
    const { detail } = await test.problem('/api/explain?of=change&gpuName=RTX+4090', 404);
    expect(detail).toContain('`offerbook rebuild`');
    const config = loadConfig({ DATABASE_URL: databaseUrl(target) });
    const { stdout } = await runInProcess(['status', '--market', market.name], config);
    expect(stdout).toContain(
      'The on-demand books have no index, so no changes of prices: run `offerbook rebuild`.',
    );
    await runInProcess(['rebuild'], config);
    const again = await test.json<IndexAnswer>('/api/index?gpuName=RTX+4090');
    expect(again.series[0]?.changes.map(({ words }) => words)).not.toContain(noIndexWords);
    expect((await status()).typesWithoutIndex).toEqual([]);
  });
});
