import { describe, expect, it } from 'vitest';
import { judgeTiming } from '../../src/prices/verdicts/price-timing.ts';

const hourMs = 3_600_000;
const now = Date.parse('2026-06-30T12:00:00Z');

/** Judges the price of now by books that end an hour before it; `priceAt` says each book's lowest price, by hours before. */
function timing(price: number, hours: number, priceAt: (before: number) => number, every = 1) {
  const before = Array.from({ length: Math.floor(hours / every) }, (_, at) => (at + 1) * every).reverse();
  return judgeTiming(
    Float64Array.from([...before.map((each) => now - each * hourMs), now]),
    Float64Array.from([...before.map(priceAt), price]),
  );
}

describe('whether the lowest price is low now', () => {
  it('is said by the lowest prices of the books of a month', () => {
    const rising = (before: number) => 720 - before;
    expect(timing(100.5, 800, rising)).toEqual({
      ...{ grade: 'low', days: 30, books: 719, text: 'a good time to rent' },
      percentile: expect.closeTo((100 * 100) / 719, 9),
      lowerPercent: expect.closeTo((100 * 100) / 719, 9),
      higherPercent: expect.closeTo((100 * 619) / 719, 9),
      medianUsdPerGpuHour: 360,
      last: {
        usdPerGpuHour: 719,
        since: new Date(now - 8 * hourMs).toISOString(),
        until: new Date(now).toISOString(),
      },
      claim: 'the lowest price was higher in 86% of the last 30 days',
      sentence:
        'a good time to rent: the lowest price was higher in 86% of the last 30 days (719 earlier books)',
    });
    expect(timing(700.5, 800, rising)).toMatchObject({
      ...{ grade: 'very_high', claim: 'the lowest price was lower in 97% of the last 30 days' },
      last: {
        usdPerGpuHour: 719,
        since: new Date(now - 8 * hourMs).toISOString(),
        until: new Date(now).toISOString(),
      },
      text: 'a very bad time to rent',
    });
    expect(timing(-1, 800, rising)?.claim).toBe('the lowest price was higher in 100% of the last 30 days');
    expect(timing(360, 800, rising)).toMatchObject({ grade: 'usual', text: 'an ordinary time to rent' });
  });

  it('is not praised for a price that never changed, nor for one that was as low most of the time', () => {
    expect(timing(1, 800, () => 1)).toMatchObject({
      ...{
        grade: 'usual',
        percentile: 50,
        last: null,
        medianUsdPerGpuHour: 1,
        claim: 'the lowest price was the same all of the last 30 days',
      },
    });
    expect(timing(1, 800, (before) => (before > 648 ? 2 : 1))).toMatchObject({
      ...{ grade: 'usual', claim: 'the lowest price was higher in 10% of the last 30 days' },
    });
  });

  it('is good from the share on that it names, and times of an equal price speak for neither side', () => {
    // Of 719 hours, so many with a higher price, the others with the same one, or a lower one.
    const graded = (higher: number, other: number) =>
      timing(1, 800, (before) => (before <= higher ? 2 : other))?.grade;
    expect([540, 539, 648, 647].map((higher) => graded(higher, 1))).toEqual([
      'low',
      'usual',
      'very_low',
      'low',
    ]);
    expect([graded(179, 0.5), graded(180, 0.5), graded(71, 0.5)]).toEqual(['high', 'usual', 'very_high']);
  });

  it('is ordinary where the price is within 1% of the usual one, however often it was lower or higher', () => {
    const grades = [1.0099, 1.0101, 0.9901, 0.9899].map((price) => timing(price, 800, () => 1)?.grade);
    expect(grades).toEqual(['usual', 'high', 'usual', 'low']);
    expect(timing(1.004, 800, () => 1)).toMatchObject({
      ...{ text: 'an ordinary time to rent', lowerPercent: 100, medianUsdPerGpuHour: 1 },
      claim: 'the lowest price was lower in 100% of the last 30 days',
    });
  });

  it('is very good or very bad only where the price is at least 5% from the usual one', () => {
    const grades = [1.0499, 1.0501, 0.9501, 0.9499].map((price) => timing(price, 800, () => 1)?.grade);
    expect(grades).toEqual(['high', 'very_high', 'low', 'very_low']);
    expect(timing(0.96, 800, () => 1)?.text).toBe('a good time to rent');
  });

  it('names the last price that was another one for three hours, whether the others were mostly higher or lower', () => {
    const dip = (before: number) => (before <= 2 ? 1 : before < 15 ? 0.8 : 1.02);
    expect(timing(1, 800, dip)).toMatchObject({
      claim: 'the lowest price was higher in 98% of the last 30 days',
      last: {
        usdPerGpuHour: 0.8,
        since: new Date(now - 14 * hourMs).toISOString(),
        until: new Date(now - 2 * hourMs).toISOString(),
      },
    });
    // Three hours are enough, two are not; nor is a difference of less than 1%.
    const former = (usd: number, hours: number) =>
      timing(1, 800, (before) => (before > 1 && before <= 1 + hours ? usd : before > 300 ? 2 : 1))?.last;
    expect(former(0.8, 3)).toEqual({
      usdPerGpuHour: 0.8,
      since: new Date(now - 4 * hourMs).toISOString(),
      until: new Date(now - hourMs).toISOString(),
    });
    expect(former(0.98, 3)?.usdPerGpuHour).toBe(0.98);
    for (const [usd, hours] of [
      [0.8, 2],
      [0.995, 3],
    ] as const)
      expect(former(usd, hours)).toMatchObject({
        usdPerGpuHour: 2,
        until: new Date(now - 300 * hourMs).toISOString(),
      });
    // One that moves by less than 1% is one price; one that never holds is none.
    expect(timing(1, 800, (before) => (before % 2 === 0 ? 0.8 : 0.805))?.last).toMatchObject({
      usdPerGpuHour: 0.805,
      since: new Date(now - 719 * hourMs).toISOString(),
    });
    expect(timing(1, 800, (before) => (before % 2 === 0 ? 0.8 : 0.9))?.last).toBeNull();
    // Nothing listed for half an hour is passed over; for longer, the price did not hold, nor without books for over a day.
    const broken = (hours: number, missing: number) =>
      timing(1, 800, (before) =>
        before > hours ? 2 : before > 2 && before <= 2 + missing ? Number.NaN : 0.8,
      )?.last;
    expect(broken(10, 1)).toMatchObject({
      usdPerGpuHour: 0.8,
      since: new Date(now - 10 * hourMs).toISOString(),
    });
    expect(broken(10, 5)).toMatchObject({
      usdPerGpuHour: 0.8,
      until: new Date(now - 7 * hourMs).toISOString(),
    });
    expect(broken(8, 5)?.usdPerGpuHour).toBe(2);
    expect(timing(1, 800, () => 2, 20)?.last?.since).toBe(new Date(now - 700 * hourMs).toISOString());
    expect(timing(1, 800, () => 2)?.last?.since).toBe(new Date(now - 719 * hourMs).toISOString());
  });

  it('counts a book for the time until the next, at most a day', () => {
    // A price of 2 in the first 6 days with a book every 12 hours, 0.5 in the last day with one every 20 minutes.
    const old = Array.from({ length: 12 }, (_, at) => now - (167 - 12 * at) * hourMs);
    const late = Array.from({ length: 69 }, (_, at) => now - (69 - at) * 1_200_000);
    const times = Float64Array.from([...old, ...late, now]);
    const prices = Float64Array.from([...old.map(() => 2), ...late.map(() => 0.5), 1]);
    expect(judgeTiming(times, prices)).toMatchObject({ books: 81, percentile: (100 * 23) / 167 });
    const gap = Float64Array.from([now - 166 * hourMs, now - 165 * hourMs, ...late, now]);
    expect(judgeTiming(gap, Float64Array.from([2, 2, ...late.map(() => 0.5), 1]))).toBeNull();
  });

  it('rests on a week where there is no month, and on nothing with less than five days or thirty books', () => {
    expect(timing(1, 300, () => 2)).toMatchObject({ grade: 'very_low', days: 7, books: 167 });
    expect(timing(1, 96, () => 2)).toBeNull();
    expect(timing(1, 168, () => 2, 6)).toBeNull();
    expect(timing(1, 700, (before) => (before < 168 ? Number.NaN : 2))).toMatchObject({ days: 30 });
    expect(timing(Number.NaN, 800, () => 2)).toBeNull();
    expect(judgeTiming(new Float64Array(0), new Float64Array(0))).toBeNull();
  });
});
