import { describe, expect, it } from 'vitest';
import { createForecasters, type Forecaster } from '../../../src/prices/forecast/candidates.ts';
import type { DailyValue } from '../../../src/prices/forecast/daily-values.ts';
import { rollOrigins } from '../../../src/prices/forecast/rolling-origins.ts';
import { createUniform, drawSeries } from '../../support/drawn-series.ts';

/** A cycle with a trend, one day of eight without a value. */
function drawGaps(days: number, seed: number): DailyValue[] {
  const uniform = createUniform(seed);
  const log = (day: number, draw: () => number) =>
    0.004 * day + 0.05 * Math.sin((2 * Math.PI * day) / 7) + 0.02 * draw();
  return drawSeries(days, seed, log).filter(() => uniform() > 1 / 8);
}

describe('a forecast of the past', () => {
  it.each([1, 7, 30])('uses nothing that came after it: %i days ahead', (days) => {
    const series = drawGaps(150, 17);
    const values = new Map(series.map(({ day, value }) => [day, value]));
    const { scored, origins } = rollOrigins(series, days);
    // Each origin once more, as if its day were today.
    const again = series.slice(27).flatMap(({ day }, index) => {
      const outcome = values.get(day + days);
      if (outcome === undefined) return [];
      const { now } = rollOrigins(series.slice(0, 28 + index), days);
      if (now === null) return [null];
      const log = Math.log(outcome);
      return [{ error: log - now.log, isInBand: log >= now.low && log <= now.high }];
    });
    expect(origins).toBe(again.length);
    const picks = again.filter((each) => each !== null);
    expect(picks.length).toBeGreaterThan(20);
    expect(scored).toHaveLength(picks.length);
    for (const [index, { error, isInBand }] of picks.entries()) {
      expect([scored[index]?.error, scored[index]?.isInBand]).toEqual([expect.closeTo(error, 9), isInBand]);
    }
  });

  it('uses days without a value neither as origins nor as targets', () => {
    const whole = drawSeries(90, 3, (_, draw) => draw());
    const lacking = whole.filter((_, index) => index !== 60);
    // The day itself, and the origin a week before it.
    expect(rollOrigins(whole, 7).origins - rollOrigins(lacking, 7).origins).toBe(2);
  });

  it('starts only after 20 known errors', () => {
    const series = drawSeries(90, 3, (_, draw) => draw());
    for (const [days, scored] of [
      [1, 42],
      [7, 30],
      [30, 0],
    ] as const) {
      expect(rollOrigins(series, days).scored).toHaveLength(scored);
    }
  });
});

describe('the candidates', () => {
  const feed = (forecaster: Forecaster, series: readonly DailyValue[]): Forecaster => {
    for (const { day, value } of series) forecaster.observe(day, Math.log(value));
    return forecaster;
  };
  const of = (candidate: string): Forecaster[] =>
    createForecasters().filter((each) => each.candidate === candidate);

  it('of drift continue along a straight line, whatever days are missing', () => {
    const line = drawSeries(120, 1, (day) => 0.01 * day).filter(({ day }) => day % 5 !== 0);
    const last = line.at(-1)?.day ?? 0;
    for (const each of of('drift')) {
      expect(feed(each, line).predict(30)).toBeCloseTo(0.01 * (last - 20_000 + 30), 9);
    }
  });

  it('of the weekday repeat the last week', () => {
    const week = drawSeries(84, 1, (day) => [0.3, 0, 0.1, 0.2, -0.1, 0, 0.05][day % 7] ?? 0);
    for (const each of of('weekday')) {
      for (const days of [1, 2, 7, 30]) {
        expect(feed(each, []).predict(days)).toBeNaN();
      }
      feed(each, week);
      for (const days of [1, 2, 7, 30]) {
        expect(each.predict(days)).toBeCloseTo([0.3, 0, 0.1, 0.2, -0.1, 0, 0.05][(83 + days) % 7] ?? 0, 9);
      }
    }
  });

  it('of the weekday only need the last week if they start from its mean', () => {
    const usual = [0.3, 0, 0.1, 0.2, -0.1, 0, 0.05];
    const week = drawSeries(84, 1, (day) => usual[day % 7] ?? 0).filter((_, at) => at < 77 || at > 80);
    const forecasts = of('weekday').map((each) => feed(each, week).predict(1).toFixed(9));
    const [next, last] = [(usual[84 % 7] ?? 0).toFixed(9), (usual[83 % 7] ?? 0).toFixed(9)];
    expect(forecasts).toEqual([next, last, next, last]);
  });

  it('of the damped trend follow the formulas', () => {
    const logs = [0, 0.1, 0.3, 0.2, 0.5];
    // The first of them has level 0.1, trend 0.05 and damping 0.85.
    let [level, trend] = [0, 0];
    for (const log of logs.slice(1)) {
      const next = 0.1 * log + 0.9 * (level + 0.85 * trend);
      trend = 0.05 * (next - level) + 0.95 * 0.85 * trend;
      level = next;
    }
    const [first] = of('dampedTrend');
    const series = logs.map((log, day) => ({ day, value: Math.exp(log) }));
    expect(first && feed(first, series).predict(2)).toBeCloseTo(level + (0.85 + 0.85 ** 2) * trend, 12);
    expect(of('dampedTrend')).toHaveLength(18);
  });
});
