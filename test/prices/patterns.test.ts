import { beforeAll, describe, expect, it } from 'vitest';
import type { PatternsAnswer } from '../../src/prices/trends/patterns.routes.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { landOffers, makeOffer } from './made-offers.ts';

let test: TestApp;

/** Monday to Wednesday and the next Monday; at 3 and at 15 o'clock UTC, two books in some hours. */
const books: [at: string, price: number][] = [
  ['2026-07-06T03:00:00Z', 0.5],
  ['2026-07-06T15:00:00Z', 1.0],
  ['2026-07-07T03:00:00Z', 0.6],
  ['2026-07-08T15:00:00Z', 0.9],
  ['2026-07-13T03:10:00Z', 0.2],
  ['2026-07-13T03:40:00Z', 0.4],
];

beforeAll(async () => {
  test = await createTestApp();
  for (const [at, price] of books) {
    const dear = makeOffer(3, { baseUsdPerHour: 40, gpuName: 'H100 SXM' });
    const offers = [1, 2].map((numGpus) =>
      makeOffer(numGpus, { numGpus, baseUsdPerHour: price * numGpus, storageUsdPerGbMonth: 0 }),
    );
    await landOffers(test.sql, test.market.id, at, [...offers, dear]);
  }
  await landOffers(test.sql, test.market.id, '2026-07-13T03:50:00Z', [makeOffer(1)], { verdict: 'partial' });
});

const patterns = async (query: string) =>
  await test.json<PatternsAnswer>(`/api/patterns?gpuName=RTX+4090${query}`);

describe('GET /api/patterns', () => {
  it('has the median by hour of the week', async () => {
    const { hoursOfWeek, cheapestHour, neededHours, budget } = await patterns('');
    // Mondays at 3: 0.5 once, and 0.3 as the median of an hour with 0.2 and 0.4 twice each.
    const monday = { weekday: 1, hour: 3, median: expect.closeTo(0.4, 9), hours: 2 };
    expect(hoursOfWeek).toEqual([
      monday,
      { weekday: 1, hour: 15, median: expect.closeTo(1, 9), hours: 1 },
      { weekday: 2, hour: 3, median: expect.closeTo(0.6, 9), hours: 1 },
      { weekday: 3, hour: 15, median: expect.closeTo(0.9, 9), hours: 1 },
    ]);
    // Three hours are needed to call one the cheapest.
    expect([cheapestHour, neededHours, budget]).toEqual([null, 3, null]);
  });

  it('has the cheapest hour of those with three hours, with their number', async () => {
    const other = await createTestApp();
    for (const week of [6, 13, 20]) {
      for (const [hour, price] of [
        ['03', 0.5],
        ['15', 0.4],
      ] as const) {
        const at = `2026-07-${String(week).padStart(2, '0')}T${hour}:00:00Z`;
        const offer = makeOffer(1, { baseUsdPerHour: price, storageUsdPerGbMonth: 0 });
        await landOffers(other.sql, other.market.id, at, [offer]);
      }
    }
    const cheap = makeOffer(1, { baseUsdPerHour: 0.2, storageUsdPerGbMonth: 0 });
    await landOffers(other.sql, other.market.id, '2026-07-21T08:00:00Z', [cheap]);
    const { cheapestHour } = await other.json<PatternsAnswer>('/api/patterns?gpuName=RTX+4090');
    expect(cheapestHour).toEqual({ weekday: 1, hour: 15, median: expect.closeTo(0.4, 9), hours: 3 });
  });

  it('uses the clocks of the time zone', async () => {
    const { hoursOfWeek } = await patterns('&timeZone=America/Los_Angeles');
    expect(hoursOfWeek.map(({ weekday, hour }) => [weekday, hour])).toEqual([
      [1, 8],
      [1, 20],
      [3, 8],
      [7, 20],
    ]);
  });

  it('returns how much the daily median moves', async () => {
    const { volatilityPercent, days } = await patterns('');
    // Daily medians 0.75, 0.6, 0.9 and 0.3.
    const changes = [0.6 / 0.75 - 1, 0.9 / 0.6 - 1, 0.3 / 0.9 - 1];
    const mean = changes.reduce((sum, change) => sum + change, 0) / 3;
    const variance = changes.reduce((sum, change) => sum + (change - mean) ** 2, 0) / 3;
    expect([volatilityPercent, days]).toEqual([expect.closeTo(100 * Math.sqrt(variance), 6), 4]);
    const few = await patterns('&from=2026-07-06&to=2026-07-08');
    expect([few.volatilityPercent, few.days]).toEqual([null, 2]);
  });

  it('returns how often a budget for the whole machine would have been enough', async () => {
    expect((await patterns('&budgetUsdPerHour=0.5')).budget).toEqual({
      usdPerHour: 0.5,
      books: 6,
      booksWithin: 3,
      share: 0.5,
    });
    const two = await patterns('&budgetUsdPerHour=0.5&numGpus=2');
    expect(two.budget).toMatchObject({ booksWithin: 1, books: 6 });
    const before = await patterns('&budgetUsdPerHour=0.5&from=2026-01-01&to=2026-01-02');
    expect(before.budget).toEqual({ usdPerHour: 0.5, books: 0, booksWithin: 0, share: null });
  });

  it('requires a model that the market has', async () => {
    for (const query of ['', '?gpuName=RTX+4091', '?gpuName=RTX+4090&gpuName=H100+SXM']) {
      const { errors } = await test.problem(`/api/patterns${query}`, 400);
      expect(errors.map(({ name }) => name)).toEqual(['gpuName']);
    }
  });
});
