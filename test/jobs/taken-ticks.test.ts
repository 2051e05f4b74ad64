import { describe, expect, it } from 'vitest';
import { stretchIntervals } from '../../src/jobs/stretched-interval.ts';
import { evenInterval, latestTicks, nextTaken, takenTicks } from '../../src/jobs/taken-ticks.ts';

const at = (time: string) => new Date(`2026-03-10T${time}:00Z`);
const minutes = (dates: readonly (Date | null)[]) =>
  dates.map((date) => date?.toISOString().slice(11, 16) ?? null);

describe('ticks of a stretched interval', () => {
  const times = { cron: '*/10 * * * *', timeZone: 'UTC', everyMinutes: 40 };

  it('are the first of each interval; the others are skipped and counted', () => {
    const { ticks, skipped } = takenTicks(times, at('07:59'), at('10:00'));
    expect(minutes(ticks)).toEqual(['08:00', '08:40', '09:20', '10:00']);
    expect(skipped).toBe(9);
  });

  it('are the same tick by tick as all at once, and all ticks without stretching', () => {
    const single = takenTicks(times, at('08:10'), at('08:20'));
    expect(single).toEqual({ ticks: [], skipped: 1 });
    expect(takenTicks({ ...times, everyMinutes: null }, at('08:10'), at('08:40')).ticks).toHaveLength(3);
  });

  it('have a newest one, a previous one and a next one', () => {
    expect(minutes(latestTicks(times, at('09:19')))).toEqual(['08:40', '08:00']);
    expect(minutes([nextTaken(times, at('08:40')), nextTaken(times, at('08:39'))])).toEqual([
      '09:20',
      '08:40',
    ]);
  });

  it('come at the same times every day', () => {
    expect([1, 7, 12.1, 61, 1_440, 1_441].map(evenInterval)).toEqual([1, 8, 15, 90, 1_440, 2_880]);
  });
});

describe('what the budget allows', () => {
  const hourly = { cron: '7 * * * *', timeZone: 'UTC', isNarrow: false };
  const watch = { cron: '*/10 * * * *', timeZone: 'UTC', isNarrow: true };
  const stretch = (loads: Parameters<typeof stretchIntervals>[0], budget: number) =>
    stretchIntervals(loads, budget, at('08:00')).map(({ everyMinutes }) => everyMinutes);

  it('keeps a schedule at its cron if there is enough time, and if the cost is unknown', () => {
    expect(
      stretch(
        [
          { ...hourly, searches: 180 },
          { ...hourly, searches: 180 },
        ],
        6,
      ),
    ).toEqual([null, null]);
    expect(stretch([{ ...hourly, searches: 0 }], 6)).toEqual([null]);
  });

  it('stretches a round that takes longer, with a reason', () => {
    const loads = [
      { ...hourly, searches: 300 },
      { ...hourly, searches: 300 },
    ];
    expect(stretch(loads, 6)).toEqual([120, 120]);
    const [first] = stretchIntervals(loads, 6, at('08:00'));
    expect(first?.reason).toBe('a round of the whole market takes 600 searches; SEARCHES_PER_MINUTE is 6');
  });

  it('serves watches first, from at most half of the budget', () => {
    // 20 searches every 10 minutes are 2 of 6 a minute: a round of 300 has 4 and takes 75 minutes.
    expect(
      stretch(
        [
          { ...hourly, searches: 300 },
          { ...watch, searches: 20 },
        ],
        6,
      ),
    ).toEqual([90, null]);
    expect(
      stretch(
        [
          { ...hourly, searches: 120 },
          { ...watch, searches: 60 },
        ],
        6,
      ),
    ).toEqual([null, 20]);
  });
});
