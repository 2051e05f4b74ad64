import { describe, expect, it } from 'vitest';
import { createRandom } from '../../prove/seeded-random.ts';
import {
  estimateByAgreement,
  estimateByRecapture,
  estimateByTwoPasses,
  isNegligible,
  rowProblem,
} from '../../src/core/completeness.ts';

describe('the estimated share of missing offers', () => {
  it("is Chapman's estimate for two passes", () => {
    // (901 × 801) / 721 − 1 = 999.99 offers, of which the passes saw 980.
    const estimate = estimateByTwoPasses({ first: 900, second: 800, both: 720 });
    expect(estimate.how).toBe('chapman');
    expect(estimate.share).toBeCloseTo(20 / 1000, 4);
    expect(estimate.atMost).toBeGreaterThan(estimate.share);
    expect(isNegligible(estimate)).toBe(false);
  });

  it.each([
    ['nobody came or went', { first: 500, second: 500, both: 500 }],
    ['some came', { first: 500, second: 520, both: 500 }],
    ['some went', { first: 500, second: 480, both: 480 }],
  ])('is zero if %s', (_, seen) => {
    const estimate = estimateByTwoPasses(seen);
    expect(estimate.share).toBeCloseTo(0, 9);
    expect(isNegligible(estimate)).toBe(true);
  });

  it.each([
    // Of 25,000 two passes that miss 1% each miss 2.5 offers, of 5% 62.5.
    [24_750, 24_503, 0.0001, true],
    [23_750, 22_563, 0.0025, false],
  ])('of two passes over %i offers with %i in common is %f', (seen, both, share, negligible) => {
    const estimate = estimateByTwoPasses({ first: seen, second: seen, both });
    expect(estimate.share).toBeCloseTo(share, 4);
    expect(isNegligible(estimate)).toBe(negligible);
  });

  it.each([
    [1_250, 25_000, 3, 0.000125, true],
    [6_250, 25_000, 3, 0.0156, false],
    [0, 25_000, 3, 0, true],
    [0, 0, 3, 0.5, false],
  ])('is p³ where a pass missed %i of %i', (missed, around, passes, share, negligible) => {
    const estimate = estimateByRecapture({ missed, around, passes, union: Math.max(around, 1) });
    expect(estimate.share).toBeCloseTo(share, 4);
    expect(isNegligible(estimate)).toBe(negligible);
  });

  it('allows for chance: with few offers it takes more passes to be sure', () => {
    const after = (passes: number) =>
      isNegligible(estimateByRecapture({ missed: 1, around: 24, passes, union: 25 }));
    expect([3, 4].map(after)).toEqual([false, true]);
    expect(isNegligible(estimateByRecapture({ missed: 0, around: 24, passes: 3, union: 25 }))).toBe(true);
  });

  it('is at most three in the number of repeated offers if none was new', () => {
    expect(estimateByAgreement(3_000, 25_000)).toMatchObject({ how: 'agreed', share: 0 });
    expect(estimateByAgreement(3_000, 25_000).atMost).toBeLessThan(0.001);
    expect(estimateByAgreement(20, 20)).toMatchObject({ atMost: 0, atMostOffers: 0 });
    expect(estimateByAgreement(0, 0)).toMatchObject({ atMost: 0 });
  });

  it('never falls below the true share by more than chance allows', () => {
    const random = createRandom(20_260_720);
    let below = 0;
    for (let trial = 0; trial < 200; trial += 1) {
      const hidden = 0.01 + 0.2 * random();
      const histories = Array.from({ length: 5_000 }, () =>
        [0, 1, 2].reduce((seen, pass) => seen | (random() < hidden ? 0 : 1 << pass), 0),
      );
      const count = (mask: number): number => histories.filter((seen) => (seen & mask) === mask).length;
      const union = histories.filter((seen) => seen > 0).length;
      const around = count(0b101);
      const missed = around - count(0b111);
      const { atMostOffers } = estimateByRecapture({ missed, around, passes: 3, union });
      // The expectation, of which the true count is one draw.
      if (atMostOffers < 5_000 * hidden ** 3) below += 1;
    }
    expect(below).toBeLessThanOrEqual(10);
  });
});

describe('what the rows of a book allow', () => {
  it.each([
    [100, 100, null],
    [1, 1, null],
    // 2% unreadable is still a book, more is not.
    [100, 98, null],
    [50, 49, null],
    [99, 97, { fatal: false, reason: '2 of 99 rows could not be read' }],
    [100, 97, { fatal: false, reason: '3 of 100 rows could not be read' }],
    [0, 0, { fatal: false, reason: 'the answer was empty' }],
    [3, 0, { fatal: true, reason: 'none of 3 rows could be read' }],
  ])('of %i rows %i accepted', (rows, accepted, problem) => {
    expect(rowProblem(rows, accepted)).toEqual(problem);
  });
});
