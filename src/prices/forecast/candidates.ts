/** Forecast methods, the naive one first. Source: docs/meaning.md#forecast. */
export const candidates = ['lastValue', 'drift', 'dampedTrend', 'weekday'] as const;
export type Candidate = (typeof candidates)[number];

/** A method with its parameters, fed the logs of values day by day. */
export interface Forecaster {
  candidate: Candidate;
  /** Takes the next UTC day with a value, by number. */
  observe: (day: number, log: number) => void;
  /** Returns the log expected `days` after the last observed day. */
  predict: (days: number) => number;
}

const driftDays = [28, 91, Number.POSITIVE_INFINITY] as const;
const levelShares = [0.1, 0.3, 0.6] as const;
const trendShares = [0.05, 0.2] as const;
const dampings = [0.85, 0.95, 0.99] as const;
const seasonWeeks = [4, 8] as const;
const daysPerWeek = 7;
/** Minimum number of values in a seven-day window. */
const minWeekValues = 5;

/** Returns every method with every parameter, the last value first, none fed yet. */
export function createForecasters(): Forecaster[] {
  return [
    lastValue(),
    ...driftDays.map(drift),
    ...levelShares.flatMap((level) =>
      trendShares.flatMap((trend) => dampings.map((damping) => dampedTrend({ level, trend, damping }))),
    ),
    ...seasonWeeks.flatMap((weeks) => [weekday(weeks, 'lastDay'), weekday(weeks, 'lastWeek')]),
  ];
}

function lastValue(): Forecaster {
  let last = Number.NaN;
  return {
    candidate: 'lastValue',
    observe: (_, log) => {
      last = log;
    },
    predict: () => last,
  };
}

/** Continues the slope between the window's first and last values. */
function drift(windowDays: number): Forecaster {
  const seen: { day: number; log: number }[] = [];
  let start = 0;
  return {
    candidate: 'drift',
    observe: (day, log) => {
      seen.push({ day, log });
      while ((seen[start]?.day ?? day) < day - windowDays) start += 1;
    },
    predict: (days) => {
      const [first, last] = [seen[start], seen.at(-1)];
      if (first === undefined || last === undefined) return Number.NaN;
      const length = last.day - first.day;
      return length === 0 ? last.log : last.log + (days * (last.log - first.log)) / length;
    },
  };
}

/** Holt's method with a damped trend; a missing day is a step without correction. */
function dampedTrend(shares: { level: number; trend: number; damping: number }): Forecaster {
  let [level, trend, last] = [Number.NaN, 0, 0];
  const ahead = (days: number): number => {
    let [sum, factor] = [0, 1];
    for (let step = 0; step < days; step += 1) {
      factor *= shares.damping;
      sum += factor;
    }
    return level + sum * trend;
  };
  return {
    candidate: 'dampedTrend',
    observe: (day, log) => {
      if (Number.isNaN(level)) {
        level = log;
      } else {
        const days = day - last;
        const expected = ahead(days);
        const before = level;
        const damped = trend * shares.damping ** days;
        level = expected + shares.level * (log - expected);
        trend = damped + shares.trend * ((level - before) / days - damped);
      }
      last = day;
    },
    predict: ahead,
  };
}

/** Adds a weekday's usual deviation to the last value, or to the mean of the last week. */
function weekday(weeks: number, from: 'lastDay' | 'lastWeek'): Forecaster {
  const logs = new Map<number, number>();
  /** Each day's deviation from the mean of the seven days that end with it. */
  const deviations = new Map<number, number>();
  let last = 0;
  /** Returns the mean of the seven days that end with a day; null: too few values. */
  const weekMean = (day: number): number | null => {
    let [sum, count] = [0, 0];
    for (let back = 0; back < daysPerWeek; back += 1) {
      const log = logs.get(day - back);
      if (log === undefined) continue;
      sum += log;
      count += 1;
    }
    return count < minWeekValues ? null : sum / count;
  };
  const usual = (day: number): number | null => {
    // The newest observed day with that weekday.
    const newest = last - ((((last - day) % daysPerWeek) + daysPerWeek) % daysPerWeek);
    let [sum, count] = [0, 0];
    for (let back = 0; back < weeks; back += 1) {
      const deviation = deviations.get(newest - back * daysPerWeek);
      if (deviation === undefined) continue;
      sum += deviation;
      count += 1;
    }
    return count < weeks / 2 ? null : sum / count;
  };
  /** Returns the mean of all weekdays' usual deviations; null: one is unknown. */
  const usualMean = (): number | null => {
    let sum = 0;
    for (let back = 0; back < daysPerWeek; back += 1) {
      const each = usual(last - back);
      if (each === null) return null;
      sum += each;
    }
    return sum / daysPerWeek;
  };
  return {
    candidate: 'weekday',
    observe: (day, log) => {
      last = day;
      logs.set(day, log);
      const mean = weekMean(day);
      if (mean !== null) deviations.set(day, log - mean);
    },
    predict: (days) => {
      const now = logs.get(last) ?? Number.NaN;
      const then = usual(last + days);
      if (from === 'lastDay') {
        const today = usual(last);
        return then === null || today === null ? now : now + then - today;
      }
      const [week, usualWeek] = [weekMean(last), usualMean()];
      return then === null || week === null || usualWeek === null ? now : week + then - usualWeek;
    },
  };
}
