import { expect, it } from 'vitest';
import { comparedWith } from '../../src/prices/explain/explain-verdict.ts';

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
