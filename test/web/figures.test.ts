import { describe, expect, it } from 'vitest';
import {
  formatAmount,
  formatGb,
  formatPercent,
  formatSignedPercent,
  formatVram,
  priceDecimals,
} from '../../web/core/figures.ts';
import { formatAge, formatExpected, formatUtc } from '../../web/core/times.ts';

describe('decimals of a column of prices', () => {
  it('shows three significant digits of the smallest price', () => {
    const cases: [(number | null)[], number][] = [
      [[12.5, 2.1], 2],
      [[0.402, 12], 3],
      [[0.0194], 4],
      [[0.000661, 0.5], 6],
      [[0.000000001], 7],
      [[0, null, 0.25], 3],
      [[null], 2],
      [[], 2],
    ];
    for (const [values, decimals] of cases) expect(priceDecimals(values), String(values)).toBe(decimals);
  });
});

describe('amounts', () => {
  it('never show zero or minus zero for an amount that rounds to it', () => {
    const amounts = ['0', '-0', '0.004', '-0.004', '0.005', '-0.006', '12.345', null];
    const shown = ['$0.00', '$0.00', '<$0.01', '-<$0.01', '$0.01', '-$0.01', '$12.35', '–'];
    expect(amounts.map((amount) => formatAmount(amount))).toEqual(shown);
    expect(formatAmount('0.00003', 4)).toBe('<$0.0001');
  });
});

it('the memory of a GPU has the GB that the card is sold by', () => {
  expect([24_564, 49_140, 81_559, 11_264].map((mb) => formatVram(mb))).toEqual([
    ...['24 GB', '48 GB', '80 GB', '11 GB'],
  ]);
  expect([formatVram(24_564, 2), formatGb(64_000)]).toEqual(['48 GB', '64 GB']);
});

describe('percentages', () => {
  it('have no space before their sign, and no sign if they round to zero', () => {
    expect([2.44, -7.8, -0.04, 0].map(formatSignedPercent)).toEqual(['+2.4%', '-7.8%', '0.0%', '0.0%']);
    expect([formatPercent(40, 0), formatPercent(null, 0)]).toEqual(['40%', '–']);
  });
});

describe('times', () => {
  it('show an age with the next smaller unit while that matters', () => {
    const ages = [0.4, 12.9, 119, 120, 245, 47 * 60, 64.8 * 60, 72 * 60, 40_000].map(formatAge);
    expect(ages).toEqual([
      ...['just now', '12 min ago', '119 min ago', '2 h ago', '4 h 5 min ago', '47 h ago'],
      ...['2 days 16 h ago', '3 days ago', '27 days ago'],
    ]);
  });

  it('show when something is expected, which is due once its moment is over', () => {
    const now = Date.parse('2026-07-20T12:00:00Z');
    const expected = [
      '2026-07-20T15:30:00Z',
      '2026-07-20T12:00:20Z',
      '2026-07-20T12:00:00Z',
      '2026-07-20T11:00:00Z',
    ];
    expect(expected.map((t) => formatExpected(t, now))).toEqual([
      'in 3 h 30 min',
      'in under 1 min',
      'due now',
      'due now',
    ]);
  });

  it('have titles in UTC with seconds', () => {
    expect(formatUtc('2026-07-20T05:19:05.123Z')).toBe('2026-07-20 05:19:05 UTC');
    expect(formatUtc('2026-07-20T05:19:05+02:00')).toBe('2026-07-20 03:19:05 UTC');
  });
});
