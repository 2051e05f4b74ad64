import { describe, expect, it } from 'vitest';
import { cheaperClaim, shareWords, summarizeVerdict } from '../../src/prices/verdicts/verdict-words.ts';
import type { OfferVerdict, VerdictWindow } from '../../web/core/api.ts';
import { gradeOf, timingClaim, verdictLines, withoutTiming } from '../../web/core/verdict-words.ts';
import { trendStatistics } from '../../web/prices/trends/trend-statistics.ts';

const window = (
  days: VerdictWindow['days'],
  percentile: number | null,
  part: Partial<VerdictWindow> = {},
): VerdictWindow => ({
  ...{ days, percentile, status: percentile === null ? 'insufficient' : 'ok', samples: 1120, machines: 9 },
  ...{
    claim: cheaperClaim(percentile),
    hosts: 3,
    coverage: 1,
    missing: percentile === null ? ['3 hosts needed'] : [],
  },
  ...{ pricedDays: days, lowerDays: 0, ...part },
});

const verdict = (
  windows: VerdictWindow[],
  {
    usual = null,
    now = null,
    ...model
  }: {
    usual?: number | null;
    now?: number | null;
    gpuName?: string;
    verification?: 'verified' | null;
  } = {},
): OfferVerdict => {
  const segment = { gpuName: 'RTX 4090', verification: 'verified' as const, ...model };
  const comparableNow = { percentile: now, claim: cheaperClaim(now), offers: now === null ? 0 : 8 };
  return {
    segment: { level: 'verification', type: 'on-demand', ...segment },
    ...{ lowestInDays: null, windows, comparableNow },
    summary: summarizeVerdict({ windows, comparableNow, usdPerGpuHour: 0.1, segment, usual }),
  };
};

describe('a verdict in words', () => {
  it('is graded by its percentile, the cheapest first', () => {
    const grades = [0, 10, 11, 25, 26, 74, 75, 89, 90, 100].map((each) => verdict([window(30, each)]));
    expect(grades.map(gradeOf)).toEqual([
      ...['great', 'great', 'good', 'good', 'usual', 'usual', 'dear', 'dear', 'steep', 'steep'],
    ]);
    expect(gradeOf(null)).toBe('unknown');
  });

  it('shows no share of another grade: it is never rounded across the limit of one', () => {
    const shown = [10, 10.4, 25, 25.4, 74.6, 75, 89.6, 90].map((percentile) => {
      const { text, claim } = verdict([window(30, percentile)]).summary;
      return `${text.split(' among')[0]}, ${/\d+%/.exec(claim)?.[0]}`;
    });
    expect(shown).toEqual([
      ...['very low, 90%', 'low, 89%', 'low, 75%', 'usual, 74%'],
      ...['usual, 26%', 'high, 25%', 'high, 11%', 'very high, 10%'],
    ]);
    expect([89.4, 90.4, 50.5].map((percent) => shareWords(percent))).toEqual(['89%', '90%', '51%']);
  });

  it('rests on one window, the month if it has enough data, and says what it was compared with', () => {
    expect(verdict([window(7, 5), window(30, 38.4)]).summary).toEqual({
      ...{
        grade: 'usual',
        days: 30,
        text: 'usual among RTX 4090s',
        claim: 'cheaper than 62% of verified ones in 30 days',
      },
      sentence: 'usual among RTX 4090s: cheaper than 62% of 1,120 daily prices of 9 verified ones in 30 days',
    });
    expect(verdict([window(7, 5), window(30, null), window(90, null)]).summary).toMatchObject({
      ...{ grade: 'very_low', days: 7, claim: 'cheaper than 95% of verified ones in 7 days' },
    });
    // Without a tier all of the model are compared.
    const any = verdict([window(7, 5)], { gpuName: 'L40S', verification: null }).summary;
    expect([any.text, any.claim]).toEqual(['very low among L40S', 'cheaper than 95% of all in 7 days']);
  });

  it('says the same share in a sentence and in the line of its window, of all only if all are dearer', () => {
    const found = [0, 0.58, 99.8, 100].map((percentile) => {
      const each = verdict([window(7, percentile)], { now: percentile });
      const [, line = '', now = ''] = verdictLines(each);
      const shares = [each.summary.claim, line, now].map((words) => /cheaper than \d+%/.exec(words)?.[0]);
      return [...new Set(shares)];
    });
    expect(found).toEqual([
      ['cheaper than 100%'],
      ['cheaper than 99%'],
      ['cheaper than 1%'],
      ['cheaper than 0%'],
    ]);
  });

  it('says what is missing in the window that lacks the least, and how the price compares now', () => {
    const short = [window(7, null), window(30, null, { missing: ['a', 'b'] })];
    expect(verdict(short, { now: 20 }).summary).toEqual({
      ...{ grade: 'insufficient', days: null, text: 'no verdict yet' },
      claim: 'cheaper than 80% of 8 verified RTX 4090 offers now',
      sentence: 'no verdict yet: 3 hosts needed; cheaper than 80% of 8 verified RTX 4090 offers now',
    });
    const lines = verdictLines(verdict(short, { now: 20 }));
    expect(lines).toContain('7 days: not enough data (3 hosts needed).');
    expect(lines[0]).toBe(
      'Compared with verified machines, whatever their reliability (on-demand, RTX 4090):',
    );
    expect(lines.at(-1)).toBe('Now: cheaper than 80% of 8 verified offers.');
  });

  it('calls an outlier one instead of praising it', () => {
    const cheap = verdict([window(30, 0)], { usual: 0.5 });
    expect(cheap.summary).toMatchObject({
      grade: 'outlier',
      text: 'outlier',
      claim: 'far below the usual price',
    });
    expect(gradeOf(cheap)).toBe('unknown');
    expect(verdict([window(30, 0)], { usual: 0.01 }).summary.claim).toBe('far above the usual price');
  });
});

it('says why it is unknown whether it is a good time to rent', () => {
  expect(withoutTiming(verdict([window(7, null)])).claim).toContain('30 books on 5 of 7 days');
  expect(withoutTiming(null).claim).toContain('the newest book is not complete');
});

it('names the last other price, and when it became another one', () => {
  const [since = '', until = ''] = [18_000_000, 3_660_000].map((ms) =>
    new Date(Date.now() - ms).toISOString(),
  );
  const last = { usdPerGpuHour: 0.2192, since, until };
  const claim = 'the lowest price was higher in 60% of the last 7 days';
  const said = (now: number, usual: number, newest: string | null = null) =>
    timingClaim({ claim, last, medianUsdPerGpuHour: usual }, { now, newest });
  const lead = 'it was higher than now in 60% of the last 7 days, usually';
  expect(said(0.2, 0.3)).toBe(`${lead} $0.3000; it was $0.2192 for 3 h 59 min until 61 min ago`);
  expect(said(0.3, 0.3)).toBe(`${lead} $0.3000, as now; it was $0.2192 for 3 h 59 min until 61 min ago`);
  expect(said(0.2, 0.3, until)).toMatch(/; it was \$0\.2192 for 3 h 59 min until \w+ \d+, \d{4}, .*[\dM]$/);
  const without = (words: string) =>
    timingClaim({ claim: words, last: null, medianUsdPerGpuHour: 0.2 }, { now: 0.2, newest: null });
  expect(without(claim)).toBe(`${lead} $0.2000, as now`);
  const same = 'the lowest price was the same all of the last 7 days';
  expect(without(same)).toBe(same);
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
