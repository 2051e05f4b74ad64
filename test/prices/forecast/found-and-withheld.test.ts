import { describe, expect, it } from 'vitest';
import type { DailyValue } from '../../../src/prices/forecast/daily-values.ts';
import { describeHorizon } from '../../../src/prices/forecast/describe-forecast.ts';
import { type HorizonForecast, judgeForecasts } from '../../../src/prices/forecast/judge-forecast.ts';
import { drawSeries, drawWalk } from '../../support/drawn-series.ts';

const seeds = Array.from({ length: 100 }, (_, index) => 7919 * (index + 1));

/** How many of 100 series pass. */
const countSeeds = (
  draw: (seed: number) => DailyValue[],
  passes: (horizons: HorizonForecast[]) => boolean,
): number => seeds.filter((seed) => passes(judgeForecasts(draw(seed)))).length;

const isWithheld = (horizons: HorizonForecast[]): boolean =>
  horizons.every(({ status, value, low, high, candidate }) => {
    return status === 'withheld' && [value, low, high, candidate].every((each) => each === null);
  });
const finds =
  (days: number, candidates: readonly string[]) =>
  (horizons: HorizonForecast[]): boolean =>
    horizons.some(
      (each) => each.days === days && each.status === 'ok' && candidates.includes(each.candidate ?? ''),
    );

describe('over 100 seeds', () => {
  it.each([64, 120, 240])(
    'a random walk of %i days is withheld at every horizon at least 95 times',
    (days) => {
      expect(countSeeds((seed) => drawWalk(days, seed), isWithheld)).toBeGreaterThanOrEqual(95);
    },
  );

  it.each([1, 7, 30])('a trend of half a year is found %i days ahead at least 95 times', (days) => {
    const trend = (seed: number) => drawSeries(180, seed, (day, draw) => 0.005 * day + 0.02 * draw());
    expect(countSeeds(trend, finds(days, ['drift', 'dampedTrend']))).toBeGreaterThanOrEqual(95);
  });

  it('a walk with a strong drift is found a week ahead at least 95 times', () => {
    const drifting = (seed: number): DailyValue[] => {
      let log = 0;
      return drawSeries(180, seed, (_, draw) => {
        log += 0.01 + 0.01 * draw();
        return log;
      });
    };
    expect(countSeeds(drifting, finds(7, ['drift', 'dampedTrend']))).toBeGreaterThanOrEqual(95);
  });

  it.each([64, 180])('a weekly cycle of %i days is found a day ahead at least 95 times', (days) => {
    const cycle = (seed: number) =>
      drawSeries(days, seed, (day, draw) => 0.1 * Math.sin((2 * Math.PI * day) / 7) + 0.02 * draw());
    expect(countSeeds(cycle, finds(1, ['weekday']))).toBeGreaterThanOrEqual(95);
  });
});

describe('a forecast with too few days', () => {
  it.each([1, 7, 30])('says how many more it needs, %i days ahead: after as many it is judged', (ahead) => {
    const horizonOf = (days: number) =>
      judgeForecasts(drawWalk(days, 5)).find((each) => each.days === ahead) as HorizonForecast;
    for (const days of [14, 40]) {
      const { missingDays } = horizonOf(days);
      expect(horizonOf(days + missingDays - 1).missingDays).toBe(1);
      expect(horizonOf(days + missingDays).missingDays).toBe(0);
    }
    const lastDay = new Date('2026-08-01T00:00:00Z');
    const words = { inWords: String, nowWords: "today's price" };
    const young = horizonOf(14);
    const readyOn = new Date(lastDay.getTime() + (young.missingDays + 1) * 86_400_000);
    expect(describeHorizon(young, words, { lastDay, now: new Date('2026-08-02T00:00:00Z') })).toContain(
      `too few days to judge a forecast: ${young.missingDays} more days with prices are needed, so not before ${readyOn.toISOString().slice(0, 10)}`,
    );
    // A market without new prices never has enough.
    expect(describeHorizon(young, words, { lastDay, now: new Date('2028-01-01T00:00:00Z') })).not.toContain(
      'not before',
    );
  });
});

describe('the published quality of a forecast', () => {
  it('is its error, that of the last value, and how many outcomes were within the band', () => {
    const trend = drawSeries(400, 3, (day, draw) => 0.005 * day + 0.02 * draw());
    const [, week] = judgeForecasts(trend);
    expect(week).toMatchObject({ days: 7, status: 'ok', origins: 400 - 27 - 7 });
    expect(week?.meanErrorPercent).toBeLessThan(0.95 * (week?.naiveErrorPercent ?? 0));
    expect(week?.coverage).toBeGreaterThan(0.7);
    expect(week?.coverage).toBeLessThan(0.9);
    expect(week?.low).toBeLessThan(week?.value ?? 0);
    expect(week?.high).toBeGreaterThan(week?.value ?? 0);
    // A week of the trend, plus the 80th percentile of the difference of two errors.
    expect(week?.usualMovePercent).toBeGreaterThan(3.5);
    expect(week?.usualMovePercent).toBeLessThan(8);
  });

  it.each([
    [57, [29, 23, 0]],
    [58, [30, 24, 1]],
    [64, [36, 30, 7]],
    [87, [59, 53, 30]],
  ])('comes for %i days from %j origins with a known outcome', (days, origins) => {
    expect(judgeForecasts(drawWalk(days, 5)).map((each) => each.origins)).toEqual(origins);
  });

  it('is only the usual move if little is known, and empty if nothing is known', () => {
    const few = judgeForecasts(drawWalk(12, 1));
    expect(few.map(({ status, usualMovePercent }) => [status, usualMovePercent === null])).toEqual([
      ...[
        ['withheld', false],
        ['withheld', true],
        ['withheld', true],
      ],
    ]);
    const none = {
      status: 'withheld',
      origins: 0,
      meanErrorPercent: null,
      coverage: null,
      usualMovePercent: null,
    };
    expect(judgeForecasts([])).toMatchObject([none, none, none]);
  });
});
