import { beforeAll, describe, expect, it } from 'vitest';
import { describeChanges, errorPercentOf } from '../../../src/prices/index/index-change.ts';
import type { IndexDay } from '../../../src/prices/index/index-day.ts';
import type { IndexAnswer } from '../../../src/prices/index/price-index.routes.ts';
import { clarityWords, priceVerdict } from '../../../src/prices/index/price-verdict.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';
import { landOffers, makeOffer } from '../made-offers.ts';

let test: TestApp;

const first = Date.UTC(2026, 6, 1);
const days = 31;
const dayMs = 86_400_000;
const momentOf = (day: number): string => new Date(first + day * dayMs + 3_600_000).toISOString();

/**
 * 31 days of ten machines of five hosts whose prices grow by 1% from the 27th day on; on the last day ten others come
 * that cost half. Of an L40S: one machine on the first three days, another on the 5th and 6th.
 */
beforeAll(async () => {
  test = await createTestApp();
  for (let day = 0; day < days; day += 1) {
    const priced = (id: number, usd: number) =>
      makeOffer(id, { hostId: id % 5, baseUsdPerHour: usd, storageUsdPerGbMonth: 0 });
    const factor = day < 26 ? 1 : 1.01 ** (day - 25);
    const offers = Array.from({ length: 10 }, (_, id) => priced(id + 1, (1 + id / 10) * factor));
    const cheap = Array.from({ length: day === days - 1 ? 10 : 0 }, (_, id) => priced(id + 20, 0.5));
    const l40s = [0, 1, 2].includes(day) ? [90] : [4, 5].includes(day) ? [91] : [];
    const others = l40s.map((id) => ({ ...priced(id, 1), gpuName: 'L40S' }));
    await landOffers(test.sql, test.market.id, momentOf(day), [...offers, ...cheap, ...others]);
  }
}, 120_000);

const index = async (query: string) => (await test.json<IndexAnswer>(`/api/index?${query}`)).series;

describe('GET /api/index', () => {
  it('has a level for each day, 100 on the first, whatever range is requested', async () => {
    const [all] = await index('gpuName=RTX+4090&from=2026-07-01');
    expect(all?.key).toBe('RTX 4090');
    expect(all?.points.map(({ index: level }) => level)).toEqual(
      Array.from({ length: days }, (_, day) =>
        Number((day < 26 ? 100 : 100 * 1.01 ** (day - 25)).toPrecision(9)),
      ),
    );
    expect(all?.points.map(({ t }) => t)).toEqual(
      Array.from({ length: days }, (_, day) => new Date(first + day * dayMs).toISOString()),
    );
    expect(all?.points.map(({ restarted }) => restarted)).toEqual([true, ...new Array(days - 1).fill(false)]);
    const [part] = await index('gpuName=RTX+4090&from=2026-07-27T12:00:00Z&to=2026-07-29');
    expect(part?.points).toEqual(all?.points.slice(26, 28));
  });

  it('splits the change of the median into the change of prices and of the mix of machines', async () => {
    const [series] = await index('gpuName=RTX+4090');
    const [day, week, month] = series?.changes ?? [];
    // Of ten machines the median is 1.45 times the factor; of these and ten cheap ones it is between 0.5 and the lowest.
    const factor = 1.01 ** 5;
    const mixed = (0.5 + factor) / 2;
    const percent = (from: number, to: number) => 100 * (to / from - 1);
    expect(day).toEqual({
      ...{ days: 1, percent: expect.closeTo(1, 8), stderrPercent: expect.closeTo(0, 8), status: 'clear' },
      words: 'prices rose, more cheap ones are available',
      medianPercent: expect.closeTo(percent(1.45 * 1.01 ** 4, mixed), 6),
      mixPercent: expect.closeTo(percent(1.45 * 1.01 ** 4, mixed) - 1, 6),
    });
    expect(week).toMatchObject({ days: 7, percent: expect.closeTo(100 * (factor - 1), 8), status: 'clear' });
    expect(month).toMatchObject({ days: 27, percent: expect.closeTo(100 * (factor - 1), 8) });
    const [before] = await index('gpuName=RTX+4090&to=2026-07-20');
    const unchanged = {
      ...{ percent: 0, stderrPercent: 0, medianPercent: 0, mixPercent: 0, status: 'steady' },
      words: 'prices steady',
    };
    const unknown = { percent: null, stderrPercent: null, medianPercent: null, mixPercent: null };
    expect(before?.changes).toEqual([
      { days: 1, ...unchanged },
      { days: 7, ...unchanged },
      { days: 27, ...unknown, status: 'insufficient', words: 'no prices from 27 days before' },
    ]);
  });

  it('restarts on a day that is not connected to earlier ones, with an unknown error', async () => {
    const [series] = await index('gpuName=L40S&from=2026-07-01&to=2026-08-01');
    expect(
      series?.points.map(({ t, index: level, restarted }) => [t.slice(8, 10), level, restarted]),
    ).toEqual([
      ['01', 100, true],
      ['02', 100, false],
      ['03', 100, false],
      ['05', 100, true],
      ['06', 100, false],
    ]);
    expect(series?.points.map(({ stderrPercent }) => stderrPercent)).toEqual(new Array(5).fill(null));
    expect(series?.changes.map(({ status }) => status)).toEqual(new Array(3).fill('insufficient'));
    // The median of the day before is there all the same, and of a week before nothing is.
    expect(series?.changes.map(({ medianPercent }) => medianPercent)).toEqual([0, null, null]);
  });

  it('marks the current, unfinished day', async () => {
    const openDays = async () =>
      (await index('gpuName=RTX+4090'))[0]?.points.filter(({ open }) => open).map(({ t }) => t);
    expect(await openDays()).toEqual(['2026-07-31T00:00:00.000Z']);
    const before = test.clock.now;
    test.clock.now = new Date('2026-08-01T00:00:00Z');
    expect(await openDays()).toEqual([]);
    test.clock.now = before;
  });

  it('rebases to 100 on the first day in the range that all series have, with a band if the error is known', async () => {
    const query = 'gpuName=RTX+4090&gpuName=L40S&rebase=true&from=2026-07-03';
    const { base, series } = await test.json<IndexAnswer>(`/api/index?${query}`);
    expect(base).toBe('2026-07-03T00:00:00.000Z');
    const [rtx, l40s] = series.map(({ points }) => points);
    expect(rtx?.map(({ rebased }) => rebased)).toEqual(rtx?.map(({ index: level }) => level));
    expect(rtx?.at(-1)?.rebased).toBe(Number((100 * 1.01 ** 5).toPrecision(9)));
    // All prices moved as one: there is no doubt.
    for (const { rebased, rebasedLow, rebasedHigh } of rtx ?? []) {
      expect([rebasedLow, rebasedHigh]).toEqual([
        expect.closeTo(rebased ?? 0, 6),
        expect.closeTo(rebased ?? 0, 6),
      ]);
    }
    expect(l40s?.map(({ t, rebased, rebasedLow }) => [t.slice(8, 10), rebased, rebasedLow])).toEqual([
      ...[
        ['03', 100, 100],
        ['05', 100, 100],
        ['06', 100, null],
      ],
    ]);
    const later = await test.json<IndexAnswer>('/api/index?gpuName=RTX+4090&rebase=true&from=2026-07-30');
    expect(later.series[0]?.points.map(({ rebased }) => rebased)).toEqual([100, 101]);
    const plain = await test.json<IndexAnswer>('/api/index?gpuName=RTX+4090');
    expect([plain.base, plain.series[0]?.points[0]?.rebased]).toEqual([null, undefined]);
  });

  it('exports the same figures as it returns', async () => {
    const query = 'gpuName=RTX+4090&gpuName=L40S&rebase=true';
    const { series } = await test.json<IndexAnswer>(`/api/index?${query}`);
    const file = await (await test.get(`/api/exports/index.json?${query}`)).json();
    expect(file).toEqual(series.flatMap(({ key, points }) => points.map((point) => ({ key, ...point }))));
  });

  it('has a series for each model and type', async () => {
    const series = await index('gpuName=L40S&gpuName=RTX+4090&type=on-demand&type=bid');
    const keys = ['on-demand|L40S', 'on-demand|RTX 4090', 'bid|L40S', 'bid|RTX 4090'];
    expect(series.map(({ key }) => key)).toEqual(keys);
    expect(series[3]?.points).toEqual([]);
    expect(series[3]?.changes.map(({ status }) => status)).toEqual(new Array(3).fill('insufficient'));
  });

  it('requires a model that the market has', async () => {
    for (const query of ['', '?gpuName=RTX+4091', '?gpuName=L40S&bucket=1d']) {
      const { errors } = await test.problem(`/api/index${query}`, 400);
      expect(errors.map(({ name }) => name)).toEqual([query.includes('bucket') ? 'bucket' : 'gpuName']);
    }
  });
});

describe('the description of a change', () => {
  const dayOf = (change: number, error: number | null, counts: Partial<IndexDay> = {}): IndexDay => ({
    movement: { daysBefore: 1, change, error },
    ...{ week: null, month: null, listings: 20, machines: 8, hosts: 3, observations: 99 },
    ...{ listingsLeftOut: 0, pricesLeftOut: 0, ...counts },
  });

  it('has an error scaled as the change, so that the rule for logarithms is true of percentages', () => {
    const contrast = { daysBefore: 1, change: Math.log(0.4), error: 0.0123456789012 };
    expect(errorPercentOf(contrast)).toBeCloseTo((60 * 0.0123456789012) / Math.log(2.5), 8);
    expect(errorPercentOf({ ...contrast, change: 0 })).toBe(1.23456789);
    expect(errorPercentOf({ ...contrast, error: null })).toBeNull();
    for (const change of [-0.9, -0.1008, 0.1008, 0.9]) {
      for (const [part, status] of [
        [0.4999, 'clear'],
        [0.5001, 'unclear'],
      ] as const) {
        const [shown] = describeChanges(dayOf(change, Math.abs(change) * part), () => null);
        const { percent, stderrPercent } = shown ?? {};
        expect(shown?.status).toBe(status);
        expect(Math.abs(percent ?? 0) > 2 * (stderrPercent ?? 0)).toBe(status === 'clear');
      }
    }
  });

  it.each([
    [dayOf(0.05, 0.02), 'clear'],
    [dayOf(-0.05, 0.02), 'clear'],
    [dayOf(0.05, 0.026), 'unclear'],
    [dayOf(0.05, 0.02, { machines: 7 }), 'unclear'],
    [dayOf(0.05, 0.02, { hosts: 2 }), 'unclear'],
    [dayOf(0.004, 0.0029), 'steady'],
    [dayOf(-0.004, 0.0031), 'unclear'],
    [dayOf(0.004, 0.0001, { listings: 4 }), 'insufficient'],
    [dayOf(0.05, null), 'insufficient'],
    [dayOf(0.05, 0.01, { movement: { daysBefore: 2, change: 0.05, error: 0.01 } }), 'insufficient'],
  ])('%#: is %s', (day, status) => {
    expect(describeChanges(day, () => null)[0]?.status).toBe(status);
  });
});

describe('what a change means, in words', () => {
  const change = { percent: 0.2, stderrPercent: 0.1, mixPercent: 0, status: 'steady' } as const;

  it.each([
    [change, 'prices steady'],
    [{ ...change, mixPercent: 22 }, 'prices steady, cheap ones are taken'],
    [{ ...change, mixPercent: -3 }, 'prices steady, more cheap ones are available'],
    [{ ...change, mixPercent: 0.9 }, 'prices steady'],
    [{ ...change, mixPercent: null }, 'prices steady'],
    [{ ...change, percent: -4, stderrPercent: 1, status: 'clear' }, 'prices fell'],
    [
      { ...change, percent: 4, stderrPercent: 1, status: 'clear', mixPercent: 2.1 },
      'prices rose, cheap ones are taken',
    ],
    // Less than twice the error of the change that it is the remainder of.
    [
      { ...change, percent: 4, stderrPercent: 3, status: 'unclear', mixPercent: 5 },
      'no clear change (within twice its error)',
    ],
    [{ ...change, percent: 4, stderrPercent: 1, status: 'unclear' }, 'no clear change (too few machines)'],
    [{ ...change, percent: 4, mixPercent: 22, status: 'insufficient' }, 'too few machines to compare'],
    [
      { percent: null, stderrPercent: null, mixPercent: null, status: 'insufficient' },
      'too few machines to compare',
    ],
  ] as const)('%#: %s', (given, words) => {
    expect(priceVerdict(given)).toBe(words);
  });

  it.each([
    [-6.4, 2.6, 'clear', 'Clear: 6.4% is more than twice its error of ±2.6.'],
    [
      -9.5,
      5.1,
      'unclear',
      'Not clear: 9.5% is not more than twice its error of ±5.1, so chance alone can explain it.',
    ],
    // With one decimal the sentence would be false: 9.6% and ±4.8.
    [-9.58, 4.78, 'clear', 'Clear: 9.58% is more than twice its error of ±4.78.'],
    [
      8.2,
      1.2,
      'unclear',
      'Not clear: 8.2% is more than twice its error of ±1.2, but of too few machines or hosts.',
    ],
    [0.2, 0.1, 'steady', 'Steady: 0.2% with an error of ±0.1 is less than 1% either way.'],
    [4, null, 'insufficient', 'Too few machines were listed at both times to tell.'],
  ] as const)('%s%% ± %s is %s, and says why', (percent, stderrPercent, status, words) => {
    expect(clarityWords({ percent, stderrPercent, status })).toBe(words);
  });
});
