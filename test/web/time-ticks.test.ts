import { afterAll, describe, expect, it, vi } from 'vitest';
import { timeTicks } from '../../web/prices/trends/time-ticks.ts';

// A zone with daylight saving time, because the axis is in local time; that of other tests is left alone.
vi.stubEnv('TZ', 'Europe/Berlin');
afterAll(() => {
  vi.unstubAllEnvs();
});

const day = 86_400_000;
const start = new Date(2026, 6, 20, 5, 19).getTime();

describe('ticks of the time axis', () => {
  it('stay within the axis, ascend and are never many more than wanted', () => {
    for (const span of [day / 24, day / 3, day, 3 * day, 9 * day, 30 * day, 200 * day, 3_000 * day]) {
      for (const wanted of [4, 8, 15]) {
        const ticks = timeTicks(start, start + span, wanted);
        expect(ticks.length).toBeLessThanOrEqual(wanted + 2);
        expect(ticks.every((tick) => tick >= start && tick <= start + span)).toBe(true);
        expect(ticks.toSorted((a, b) => a - b)).toEqual(ticks);
        expect(new Set(ticks).size).toBe(ticks.length);
      }
    }
  });

  it('fall on local midnights for days, even when daylight saving time begins or ends', () => {
    const year = timeTicks(new Date(2026, 0, 1, 13).getTime(), new Date(2026, 0, 20).getTime(), 30);
    expect(year).toHaveLength(19);
    expect(year.every((tick) => new Date(tick).getHours() === 0)).toBe(true);
    const offsets = [new Date(2026, 2, 20), new Date(2026, 3, 5)].map((date) => date.getTimezoneOffset());
    expect(offsets).toEqual([-60, -120]);
    const spring = timeTicks(new Date(2026, 2, 20).getTime(), new Date(2026, 3, 5).getTime(), 30);
    expect(spring.every((tick) => new Date(tick).getHours() === 0)).toBe(true);
  });

  it('fall on firsts of a month for long spans', () => {
    const ticks = timeTicks(start, start + 300 * day, 6);
    expect(ticks.length).toBeGreaterThan(2);
    expect(ticks.every((tick) => new Date(tick).getDate() === 1)).toBe(true);
  });

  it('are empty on an axis without length', () => {
    expect(timeTicks(start, start, 5)).toEqual([]);
    expect(timeTicks(Number.NaN, Number.NaN, 5)).toEqual([]);
  });
});
