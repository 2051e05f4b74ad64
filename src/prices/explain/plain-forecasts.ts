import type { DailyValue } from '../forecast/daily-values.ts';

/** A candidate with its parameters, and its expectation at each day of the series, logs. */
export interface PlainCandidate {
  candidate: string;
  /** In words; empty: none. */
  parameters: string;
  expected: number[];
}

interface Logs {
  days: number[];
  logs: number[];
  byDay: Map<number, number>;
}

const weekDays = 7;
const minWeekValues = 5;

/** Returns what every candidate expects `ahead` days after each day of a series. Source: docs/meaning.md#forecast. */
export function forecastPlainly(series: readonly DailyValue[], ahead: number): PlainCandidate[] {
  const days = series.map(({ day }) => day);
  const logs = series.map(({ value }) => Math.log(value));
  const all: Logs = { days, logs, byDay: new Map(days.map((day, place) => [day, logs[place] ?? 0])) };
  const deviations = deviationsOf(all);
  return [
    { candidate: 'lastValue', parameters: '', expected: [...logs] },
    ...[28, 91, Number.POSITIVE_INFINITY].map((window) => ({
      candidate: 'drift',
      parameters: window === Number.POSITIVE_INFINITY ? 'all days' : `${window} days`,
      expected: days.map((_, place) => drift(all, place, window, ahead)),
    })),
    ...[0.1, 0.3, 0.6].flatMap((alpha) =>
      [0.05, 0.2].flatMap((beta) =>
        [0.85, 0.95, 0.99].map((phi) => ({
          candidate: 'dampedTrend',
          parameters: `α ${alpha}, β ${beta}, φ ${phi}`,
          expected: dampedTrend(all, { alpha, beta, phi }, ahead),
        })),
      ),
    ),
    ...[4, 8].flatMap((weeks) =>
      (['day', 'week'] as const).map((from) => ({
        candidate: 'weekday',
        parameters: `${weeks} weeks, from the last ${from}`,
        expected: days.map((_, place) => weekday(all, deviations, place, { weeks, from, ahead })),
      })),
    ),
  ];
}

function drift({ days, logs }: Logs, place: number, window: number, ahead: number): number {
  const [day, log] = [days[place] ?? 0, logs[place] ?? 0];
  const start = days.findIndex((each) => each >= day - window);
  const length = day - (days[start] ?? day);
  return length === 0 ? log : log + (ahead * (log - (logs[start] ?? 0))) / length;
}

/** Returns φ + φ² + … over this many steps. */
const sumOfPowers = (phi: number, steps: number): number =>
  Array.from({ length: steps }, (_, step) => phi ** (step + 1)).reduce((sum, each) => sum + each, 0);

function dampedTrend(
  { days, logs }: Logs,
  { alpha, beta, phi }: { alpha: number; beta: number; phi: number },
  ahead: number,
): number[] {
  let [level, trend] = [logs[0] ?? 0, 0];
  return days.map((day, place) => {
    if (place > 0) {
      const steps = day - (days[place - 1] ?? 0);
      const expected = level + sumOfPowers(phi, steps) * trend;
      const next = expected + alpha * ((logs[place] ?? 0) - expected);
      trend = phi ** steps * trend + beta * ((next - level) / steps - phi ** steps * trend);
      level = next;
    }
    return level + sumOfPowers(phi, ahead) * trend;
  });
}

/** Returns the values of the seven days that end with a day. */
const weekUpTo = ({ byDay }: Logs, day: number): number[] =>
  Array.from({ length: weekDays }, (_, back) => byDay.get(day - back)).filter((log) => log !== undefined);

/** Returns each day's deviation from the mean of its week. */
function deviationsOf(all: Logs): Map<number, number> {
  const known = all.days.flatMap((day, place): [number, number][] => {
    const week = weekUpTo(all, day);
    return week.length < minWeekValues ? [] : [[day, (all.logs[place] ?? 0) - meanOf(week)]];
  });
  return new Map(known);
}

function weekday(
  all: Logs,
  deviations: ReadonlyMap<number, number>,
  place: number,
  { weeks, from, ahead }: { weeks: number; from: 'day' | 'week'; ahead: number },
): number {
  const [today, log] = [all.days[place] ?? 0, all.logs[place] ?? 0];
  const usual = (day: number): number | null => {
    let newest = day;
    while (newest > today) newest -= weekDays;
    const own = Array.from({ length: weeks }, (_, back) => deviations.get(newest - back * weekDays));
    const known = own.filter((each) => each !== undefined);
    return known.length < weeks / 2 ? null : meanOf(known);
  };
  const [then, now] = [usual(today + ahead), usual(today)];
  if (from === 'day') return then === null || now === null ? log : log + then - now;
  const week = weekUpTo(all, today);
  const others = Array.from({ length: weekDays }, (_, back) => usual(today - back));
  const known = others.filter((each) => each !== null);
  const isKnown = then !== null && known.length === weekDays && week.length >= minWeekValues;
  return isKnown ? meanOf(week) + then - meanOf(known) : log;
}

/** Returns the mean of values. */
export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
