import { describe, expect, it } from 'vitest';
import { ensureMarket } from '../../src/books/markets.sql.ts';
import { seedHistory, seedMoments } from '../../src/books/seed-history.ts';
import type { PricingType } from '../../src/core/offer.ts';
import { pointStatistics } from '../../src/prices/statistics/point-statistics.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createTestDatabase } from '../support/test-database.ts';

const hourMs = 3_600_000;

describe('the moments of a seeding', () => {
  it('are 26 half days, then 24 hours, up to the last whole hour', () => {
    const moments = seedMoments(new Date('2026-03-10T14:25:00Z')).map((moment) => moment.getTime());
    expect(moments).toHaveLength(50);
    expect(new Date(moments.at(-1) ?? 0).toISOString()).toBe('2026-03-10T14:00:00.000Z');
    const steps = moments.slice(1).map((moment, index) => (moment - (moments[index] ?? 0)) / hourMs);
    expect(steps.slice(0, 25).every((step) => step === 12)).toBe(true);
    expect(steps.slice(26).every((step) => step === 1)).toBe(true);
    expect(steps[25]).toBeGreaterThan(0);
    expect(steps[25]).toBeLessThanOrEqual(12);
  });

  it('are those of a seeding an hour earlier, except at both ends', () => {
    const earlier = new Set(seedMoments(new Date('2026-03-10T14:25:00Z')).map(String));
    const fresh = seedMoments(new Date('2026-03-10T15:25:00Z')).filter(
      (moment) => !earlier.has(String(moment)),
    );
    expect(fresh.length).toBeLessThanOrEqual(2);
  });
});

describe('a seeding', () => {
  it('lands a book of each type at each moment, and a second seeding changes nothing', async () => {
    const { sql } = await createTestDatabase();
    const { id: marketId } = await ensureMarket(sql, 'simulator', 'simulated');
    const simulator = createSimulator({ offersPerType: 60 });
    const progress: [number, number, number][] = [];
    const moments = seedMoments(new Date('2026-03-10T14:25:00Z')).slice(-3);
    // One hour more for bids alone; the newest book stays the newest.
    const [more, known, tooLate] = ['09:00', '14:00', '15:00'].map((at) => new Date(`2026-03-10T${at}:00Z`));
    const seed = () =>
      seedHistory(sql, {
        marketId,
        moments,
        more: { bid: [more, known, tooLate].flatMap((at) => at ?? []) },
        recordsAt: (type: PricingType, at) => {
          const answer = simulator.search({ type, limit: 1_000 }, at);
          if (answer.status !== 200) throw new Error('refused');
          return answer.body.offers;
        },
        allocatedStorageGb: 8,
        statistics: pointStatistics,
        now: () => new Date(),
        newId: () => crypto.randomUUID(),
        onProgress: (...now) => progress.push(now),
      });
    expect(await seed()).toBe(7);
    expect(progress.map(([done, total]) => [done, total])).toEqual(
      Array.from({ length: 8 }, (_, done) => [done, 7]),
    );
    // What is stored is so by groups: the newest book of each type, then the other two and three.
    for (const [, , stored] of progress) expect([0, 1, 2, 4, 5, 7]).toContain(stored);
    expect(progress.at(-1)).toEqual([7, 7, 7]);
    progress.length = 0;
    expect(await seed()).toBe(0);
    expect(progress.at(-1)).toEqual([7, 7, 0]);
    const [row] = await sql<{ books: number; offers: number }[]>`
      select count(*) as books, sum(offers) as offers from book where verdict = 'complete'`;
    expect(row?.books).toBe(7);
    const bids = await sql<{ at: Date }[]>`select observed_at as at from book where type = 'bid' order by 1`;
    expect(bids.map(({ at }) => at)).toEqual([more, ...moments]);
    expect(row?.offers).toBeGreaterThan(100);
  });
});
