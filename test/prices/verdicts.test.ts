import { beforeAll, describe, expect, it } from 'vitest';
import type { RankingsAnswer } from '../../src/prices/rankings/rankings.routes.ts';
import type { PoolSegment, PoolWindow, VerdictPools } from '../../src/prices/verdicts/verdict-pools.ts';
import { percentileInPool } from '../../src/prices/verdicts/verdicts.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { landOffers, priced } from './made-offers.ts';

const day = (number: number, hour: string): string =>
  `2026-05-${String(number + 1).padStart(2, '0')}T${hour}:00:00Z`;

/** Machine k costs 0.1 k dollars in the evening and 5 cents more in the morning. */
const evening = [1, 2, 3, 4, 5].map((machine) => priced(machine, Number((0.1 * machine).toFixed(2))));
const morning = evening.map((offer) =>
  priced(offer.machineId, Number((offer.baseUsdPerHour + 0.05).toFixed(2))),
);

describe('the verdict of an offer, computed by hand', () => {
  let test: TestApp;
  let answer: RankingsAnswer;

  // Two books a day from day 0 on; the newest is the evening of day 10. Its 7 days begin, exclusively, with the
  // evening of day 3: days 4 to 9 in whole and the morning of day 10 are in it. A machine's values there are six
  // times 0.1 k (the day's lowest) and once 0.1 k + 0.05: 35 values of 5 machines.
  beforeAll(async () => {
    test = await createTestApp();
    const { sql, market } = test;
    for (let number = 0; number <= 10; number += 1) {
      // An outlier of day 2, far below a quarter of the usual price.
      const outlier = number === 2 ? [priced(9, 0.01)] : [];
      await landOffers(sql, market.id, day(number, '06'), [...morning, ...outlier]);
      if (number < 10) await landOffers(sql, market.id, day(number, '18'), evening);
    }
    await landOffers(sql, market.id, day(10, '18'), [
      ...evening,
      priced(6, 0.32),
      priced(7, 0.12),
      priced(8, 0.09),
      priced(20, 0.32, { verification: 'unverified' }),
      priced(21, 0.32, { gpuName: 'H100 SXM' }),
    ]);
    answer = await test.json<RankingsAnswer>('/api/rankings?by=usdPerGpuHour');
  });

  const verdictOf = (machineId: number) => {
    const item = answer.items.find((each) => each.machineId === machineId);
    if (item?.verdict == null) throw new Error(`machine ${machineId} has no verdict`);
    return item.verdict;
  };

  it('counts lower prices, and half of equal ones', () => {
    // Below 0.32: all 14 of machines 1 and 2, and the six 0.30 of machine 3.
    const [week] = verdictOf(6).windows;
    expect(week).toEqual({
      days: 7,
      percentile: expect.closeTo((100 * 20) / 35, 9),
      claim: 'cheaper than 43%',
      status: 'ok',
      samples: 35,
      machines: 5,
      hosts: 5,
      coverage: 1,
      missing: [],
      ...{ pricedDays: 7, lowerDays: 7 },
    });
    // 0.30: 14 below, six equal.
    expect(verdictOf(3).windows[0]?.percentile).toBeCloseTo((100 * 17) / 35, 9);
    expect(verdictOf(8).windows[0]?.percentile).toBe(0);
    expect(verdictOf(6).segment).toEqual({
      level: 'verification',
      type: 'on-demand',
      gpuName: 'RTX 4090',
      verification: 'verified',
    });
  });

  it('reports what a longer window lacks', () => {
    const [, month, quarter] = verdictOf(6).windows;
    // Days 0 to 10 with five machines each, and the outlier of day 2.
    const counts = { samples: 56, machines: 6, hosts: 6 };
    const common = { percentile: null, claim: '', status: 'insufficient', ...counts };
    const days = { pricedDays: 10, lowerDays: 10 };
    expect(month).toEqual({
      ...common,
      ...days,
      days: 30,
      coverage: 11 / 30,
      missing: ['11 of 21 needed days with a complete book'],
    });
    expect(quarter).toEqual({
      ...common,
      ...days,
      days: 90,
      coverage: 11 / 90,
      missing: ['11 of 63 needed days with a complete book'],
    });
  });

  it("counts the days since a day's lowest price was as low, without outliers", () => {
    // This morning the lowest was 0.15, on every day before 0.10, and never below but for the outlier.
    expect(verdictOf(6).lowestInDays).toBe(0);
    expect(verdictOf(7).lowestInDays).toBe(1);
    expect(verdictOf(8).lowestInDays).toBe(10);
  });

  it("counts the earlier days on which a day's lowest price was below, without outliers", () => {
    // On each of the ten days before, the lowest was 0.10; the 0.01 of day 2 is an outlier.
    const daysOf = (machineId: number) =>
      verdictOf(machineId).windows.map(({ pricedDays, lowerDays }) => [pricedDays, lowerDays]);
    expect(daysOf(7)).toEqual([
      [7, 7],
      [10, 10],
      [10, 10],
    ]);
    expect(daysOf(1)).toEqual([
      [7, 0],
      [10, 0],
      [10, 0],
    ]);
    expect(daysOf(21)).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  it('falls back to all tiers of the model, and says so', () => {
    const verdict = verdictOf(20);
    expect(verdict.segment).toMatchObject({ level: 'model', verification: null });
    expect(verdict.windows[0]).toMatchObject({ samples: 35, percentile: expect.closeTo((100 * 20) / 35, 9) });
  });

  it('also compares with the offers of the same book', () => {
    // Of the eight verified ones 0.09, 0.10, 0.12, 0.20, 0.30 are below 0.32, which equals itself.
    expect(verdictOf(6).comparableNow).toEqual({
      percentile: (100 * 5.5) / 8,
      claim: 'cheaper than 31%',
      offers: 8,
    });
    expect(verdictOf(20).comparableNow).toEqual({
      percentile: (100 * 6) / 9,
      claim: 'cheaper than 33%',
      offers: 9,
    });
  });

  it('reports that a model without history has too little data everywhere', () => {
    const verdict = verdictOf(21);
    expect(verdict.segment.level).toBe('verification');
    expect(verdict.windows[0]).toEqual({
      days: 7,
      percentile: null,
      claim: '',
      status: 'insufficient',
      samples: 0,
      machines: 0,
      hosts: 0,
      coverage: 1,
      missing: ['0 of 30 needed daily prices', '0 of 4 needed machines', '0 of 3 needed hosts'],
      ...{ pricedDays: 0, lowerDays: 0 },
    });
    expect(verdict.lowestInDays).toBe(10);
    expect(verdict.comparableNow).toEqual({ percentile: 50, claim: 'cheaper than 50%', offers: 1 });
  });
});

describe('the verdict of an offer', () => {
  it('counts a machine once a day, at its cheapest size, and a host once', async () => {
    const test = await createTestApp();
    const { sql, market } = test;
    const sizes = [
      priced(1, 0.3),
      priced(1, 0.5, { offerId: 2, numGpus: 2 }),
      priced(3, 0.4, { hostId: 101 }),
      priced(4, 0.4, { hostId: 101 }),
    ];
    for (let number = 0; number < 8; number += 1) {
      await landOffers(sql, market.id, day(number, '12'), sizes);
    }
    const { items } = await test.json<RankingsAnswer>('/api/rankings?by=usdPerGpuHour');
    const verdict = items.find(({ offerId }) => offerId === 2)?.verdict;
    // Days 1 to 6: that of day 0 is exactly seven days old.
    expect(verdict?.windows[0]).toMatchObject({
      samples: 18,
      machines: 3,
      hosts: 1,
      coverage: 6 / 7,
      missing: ['18 of 30 needed daily prices', '3 of 4 needed machines', '1 of 3 needed hosts'],
    });
    expect(verdict?.lowestInDays).toBe(1);
  });

  it('has the percentile that rules use, never an insufficient one', () => {
    const window = (machines: number, coverage: number): PoolWindow => ({
      ...{ values: Float64Array.from({ length: 40 }, (_, place) => place), machines, hosts: 5, coverage },
    });
    /** Of its own tier a month is enough and a week is not; of all tiers either. */
    const own: VerdictPools = {
      window: ({ verification }, days) => window(verification === 'all' || days === 30 ? 9 : 1, 1),
      lowestInDays: () => null,
      lowerDays: () => ({ pricedDays: 0, lowerDays: 0 }),
    };
    const offer = { gpuName: 'RTX 4090', verification: 'verified' as const };
    expect(percentileInPool(own, offer, 10, 30)).toBe(26.25);
    expect(percentileInPool(own, offer, 10, 7)).toBeNull();
    /** Of its own tier no window is enough. */
    const model = {
      ...own,
      window: ({ verification }: PoolSegment) => window(verification === 'all' ? 9 : 1, 1),
    };
    expect(percentileInPool(model, offer, 10, 7)).toBe(26.25);
  });

  it('is not given in a partial book, nor changed by one', async () => {
    const test = await createTestApp();
    const { sql, market } = test;
    await landOffers(sql, market.id, day(0, '12'), evening, { verdict: 'partial' });
    const before = await test.json<RankingsAnswer>('/api/rankings?by=usdPerGpuHour');
    expect(before.items.map(({ verdict }) => verdict)).toEqual([null, null, null, null, null]);
    await landOffers(sql, market.id, day(1, '12'), evening);
    const { items } = await test.json<RankingsAnswer>('/api/rankings?by=usdPerGpuHour');
    expect(items[0]?.verdict?.windows[0]).toMatchObject({ samples: 0, coverage: 0 });
    expect(items[0]?.verdict?.lowestInDays).toBeNull();
  });
});
