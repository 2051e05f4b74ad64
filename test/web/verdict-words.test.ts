import { describe, expect, it } from 'vitest';
import type { OfferVerdict, VerdictWindow } from '../../web/core/api.ts';
import { gradeOf, lowerDaysSentence, verdictSentence, verdictWords } from '../../web/core/verdict-words.ts';
import { trendStatistics } from '../../web/prices/trends/trend-statistics.ts';

const window = (
  days: VerdictWindow['days'],
  percentile: number | null,
  status: VerdictWindow['status'] = 'ok',
): VerdictWindow => ({
  ...{
    days,
    percentile,
    status,
    samples: 120,
    machines: 9,
    hosts: 3,
    coverage: 1,
    missing: status === 'ok' ? [] : ['3 hosts needed'],
  },
});
const verdict = (part: Partial<OfferVerdict>): OfferVerdict => ({
  segment: { level: 'model', type: 'on-demand', gpuName: 'RTX 4090', verification: 'verified' },
  ...{
    lowestInDays: null,
    pricedDays: 0,
    lowerDays: 0,
    windows: [],
    comparableNow: { percentile: null, offers: 0 },
  },
  ...part,
});

describe('verdicts in words', () => {
  it('grade by percentile, cheapest first', () => {
    expect([0, 10, 11, 25, 26, 74, 75, 89, 90, 100].map(gradeOf)).toEqual([
      ...['great', 'great', 'good', 'good', 'usual', 'usual', 'dear', 'dear', 'steep', 'steep'],
    ]);
  });

  it('prefer the month, use another window if it has too little data, and say which', () => {
    expect(verdictWords(verdict({ windows: [window(7, 5), window(30, 60)] }))).toMatchObject({
      ...{ grade: 'usual', text: 'usual for 30 days', basis: '9 machines' },
    });
    expect(
      verdictWords(verdict({ windows: [window(7, 5), window(30, null, 'insufficient')] })),
    ).toMatchObject({ grade: 'great', text: 'very low for 7 days' });
  });

  it('mention the lowest price in many days, and insufficient data', () => {
    expect(verdictWords(verdict({ lowestInDays: 12, windows: [window(30, 3)] })).text).toBe(
      'lowest in 12 days',
    );
    const unknown = verdictWords(verdict({ windows: [window(30, null, 'insufficient')] }));
    expect(unknown).toMatchObject({ grade: 'unknown', text: 'not enough history' });
    expect(unknown.detail).toContain('3 hosts needed');
    const now = verdict({
      windows: [window(7, null, 'insufficient')],
      comparableNow: { percentile: 20, offers: 8 },
    });
    expect(verdictWords(now)).toMatchObject({
      ...{ grade: 'unknown', text: 'cheaper than 80% now', basis: '8 offers' },
    });
    expect(verdictWords(null).grade).toBe('unknown');
  });
});

describe('a verdict in a sentence', () => {
  it('says the percentage that its explanation says, and how much it rests on', () => {
    expect(verdictSentence(verdict({ windows: [window(7, 5), window(30, 38.4)] }))).toEqual({
      grade: 'usual',
      days: 30,
      claim: 'cheaper than 62% of the last 30 days',
      basis: ' (120 daily prices of 9 machines).',
    });
  });

  it('says what is missing where there is too little history, in the window that lacks the least', () => {
    const lacking = (days: VerdictWindow['days'], missing: string[]): VerdictWindow => ({
      ...window(days, null, 'insufficient'),
      missing,
    });
    const short = [lacking(7, ['3 of 5 needed days with a complete book']), lacking(30, ['a', 'b'])];
    expect(verdictSentence(verdict({ windows: short }))).toMatchObject({
      days: null,
      claim: 'no verdict yet: 3 of 5 needed days with a complete book.',
    });
    expect(verdictSentence(null).claim).toContain('no verdict');
  });

  it('compares the lowest price with those of earlier days, from three days on', () => {
    const days = (pricedDays: number, lowerDays: number, lowestInDays = 0) =>
      lowerDaysSentence(verdict({ pricedDays, lowerDays, lowestInDays }));
    expect(days(2, 2)).toBeNull();
    expect(days(30, 24)).toEqual({
      grade: 'dear',
      text: 'a lower price on 24 of the last 30 days.',
    });
    expect(days(13, 10)?.text).toBe('a lower price on 10 of 13 days.');
    expect(days(30, 0, 44)).toEqual({ grade: 'great', text: 'lowest in 44 days.' });
  });
});

it('statistics of a range come from its medians, without missing ones', () => {
  const point = (median: number | null) => ({ median }) as Parameters<typeof trendStatistics>[0][number];
  const { lowest, mean, highest, change } = trendStatistics([
    point(0.4),
    point(null),
    point(0.2),
    point(0.3),
  ]);
  expect([lowest, highest]).toEqual([0.2, 0.4]);
  expect(mean).toBeCloseTo(0.3);
  expect(change).toBeCloseTo(-0.25);
  expect(trendStatistics([point(null)])).toEqual({ lowest: null, mean: null, highest: null, change: null });
});
