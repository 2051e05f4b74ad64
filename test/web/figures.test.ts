import { describe, expect, it } from 'vitest';
import {
  formatAmount,
  formatAmountTick,
  formatGb,
  formatHourly,
  formatHourlyOfDay,
  formatPercent,
  formatPrice,
  formatSignedPercent,
  formatUsd,
  formatVram,
} from '../../web/core/figures.ts';
import { columnDecimals, metricNames, metricTitle, metricUnit } from '../../web/core/metrics.ts';
import { formatAge, formatExpected, formatUtc } from '../../web/core/times.ts';
import { valueWithUnit } from '../../web/watches/metric-words.ts';

describe('prices per hour', () => {
  it('have four decimals whatever stands beside them, and more where three digits would be lost', () => {
    const cases: [number | null, string][] = [
      [25.6, '25.6000'],
      [0.2078, '0.2078'],
      [1.41556, '1.4156'],
      [0.01, '0.0100'],
      [0.006612, '0.006612'],
      [0.000066, '0.00006600'],
      [0, '0.0000'],
      [null, '–'],
    ];
    for (const [price, shown] of cases) expect(formatPrice(price), String(price)).toBe(shown);
    expect([formatUsd(0.2078), formatUsd(-0.006612), formatUsd(null)]).toEqual([
      ...['$0.2078', '-$0.006612', '–'],
    ]);
  });

  it('line up in a column of prices per unit of performance, and only there', () => {
    expect(columnDecimals('usdPerDlperfHour', [0.0123, 0.000661, null])).toBe(6);
    expect(
      ['usdPerGpuHour', 'usdPerHour', 'allInUsdPerHour'].map((name) => columnDecimals(name, [0.002])),
    ).toEqual([...[undefined, undefined, undefined]]);
  });

  it('have the same digits in rules, in the unit of the rule', () => {
    expect(valueWithUnit(1.41556, 'USD/GPU/hour')).toBe('$1.4156/GPU-hour');
    expect([valueWithUnit(5.5, '%'), valueWithUnit(3, 'offers')]).toEqual(['5.5%', '3 offers']);
  });

  it('have on an axis the decimals of its steps', () => {
    expect([formatAmountTick(0.5, 0.25), formatAmountTick(0.205, 0.005)]).toEqual(['$0.50', '$0.205']);
  });
});

describe('amounts', () => {
  it('never show zero or minus zero for an amount that rounds to it', () => {
    const amounts = ['0', '-0', '0.004', '-0.004', '0.005', '-0.006', '12.345', null];
    const shown = ['$0.00', '$0.00', '<$0.01', '-<$0.01', '$0.01', '-$0.01', '$12.35', '–'];
    expect(amounts.map((amount) => formatAmount(amount))).toEqual(shown);
    expect(formatAmount('0.00003', 4)).toBe('<$0.0001');
    expect(['0', '0.0000', '0.00003', '0.75'].map(formatHourly)).toEqual([
      ...['$0/hour', '$0/hour', '<$0.0001/hour', '$0.7500/hour'],
    ]);
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
    expect([2.44, -7.8, -0.04, 0].map((each) => formatSignedPercent(each))).toEqual([
      '+2.4%',
      '-7.8%',
      '0.0%',
      '0.0%',
    ]);
    expect([formatPercent(40, 0), formatPercent(null, 0)]).toEqual(['40%', '–']);
    // What rounds to zero is neither up nor down.
    expect([formatPercent(-0.001, 2), formatPercent(-0, 2), formatPercent(-0.01, 2)]).toEqual([
      ...['0.00%', '0.00%', '-0.01%'],
    ]);
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

it('a disk per day is a price per hour, like the prices beside it', () => {
  expect(['0.0533', '2.4', '0', '0.0012', '0.0001'].map(formatHourlyOfDay)).toEqual([
    ...['$0.0022/hour', '$0.1000/hour', '$0.0000/hour', '$0.0001/hour', '<$0.0001/hour'],
  ]);
});

it('what a ranked metric is has words of its own', () => {
  expect(metricTitle('usdPerDlperfHour')).toBe(
    'Price per hour for one point of DLPerf, the market’s score for deep learning',
  );
  for (const name of metricNames.rankings) expect(metricTitle(name)).not.toBe(metricUnit(name));
});
