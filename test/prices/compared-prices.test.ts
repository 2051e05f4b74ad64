import { expect, it } from 'vitest';
import { comparedWith } from '../../src/prices/explain/explain-verdict.ts';
import { createSinceThen } from '../../src/prices/explain/since-then.ts';
import type { CurrentOffer } from '../../src/prices/newest/offers.sql.ts';

it('a row says why a lower price does not make its day one on which the cheapest cost less', () => {
  const at = new Date('2026-07-31T22:49:00Z');
  const bookDay = Math.floor(at.getTime() / 86_400_000);
  const usual = new Map([
    ['verified', 0.4],
    [null, null],
  ]);
  const of = (usdPerGpuHour: number, day: number, verification: 'verified' | null = 'verified') =>
    comparedWith({ usdPerGpuHour, verification, day }, { price: 0.3, at, usual });
  expect([of(0.2, bookDay - 1), of(0.2, bookDay), of(0.05, bookDay - 1)]).toEqual([
    ...['lower', "lower, on the book's day", 'lower, outlier'],
  ]);
  expect([of(0.05, bookDay - 1, null), of(0.3, bookDay), of(0.4, bookDay - 1)]).toEqual([
    ...['lower', 'equal', 'higher'],
  ]);
});

it('a lower row says why its price is not the one explained: gone, raised, or of another offer that is still listed', () => {
  const listed = (listingId: number, baseUsdPerHour: number, part: Partial<CurrentOffer> = {}) =>
    ({
      ...{ listingId, baseUsdPerHour, storageUsdPerGbMonth: 0, numGpus: 1, verification: 'verified' },
      ...{ reliability: 0.9796, ...part },
    }) as CurrentOffer;
  const [first, second, third] = ['08:00', '09:00', '10:00'].map(
    (time) => new Date(`2026-07-31T${time}:00Z`),
  );
  const sinceThen = createSinceThen({
    offers: [
      ...[listed(1, 0.4), listed(2, 0.4, { numGpus: 2 })],
      ...[listed(3, 0.2, { verification: null, reliability: null }), listed(4, 0.2)],
    ],
    held: [
      { listingId: 5, lastAt: first ?? null },
      { listingId: 5, lastAt: second ?? null },
      { listingId: 4, lastAt: null },
    ],
    times: [first, second, third].map((time) => Number(time)),
  });
  const words = [1, 2, 3, 4, 5, 6].map((listingId) => sinceThen({ listingId, usdPerGpuHour: 0.2 }));
  expect(words).toEqual([
    ...['now $0.4000', 'still listed: 2 GPUs, verified, 97.9% reliable', 'still listed: 1 GPU'],
    ...['still listed: 1 GPU, verified, 97.9% reliable', 'gone since 2026-07-31 10:00 UTC', 'gone'],
  ]);
});
