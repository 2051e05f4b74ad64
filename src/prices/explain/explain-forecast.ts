import { countOf } from '../../core/count-of.ts';
import { ApiProblem, badField } from '../../core/http/problem.ts';
import { documentAt } from '../../core/program-file.ts';
import type { DailyValue } from '../forecast/daily-values.ts';
import { type ForecastMetric, forecastMetrics } from '../forecast/forecast-metrics.ts';
import type { HorizonForecast } from '../forecast/judge-forecast.ts';
import { readForecasts } from '../forecast/read-forecasts.ts';
import type { PricesDeps } from '../prices-deps.ts';
import type { ExplainedSeries } from './explain-answer.ts';
import type { Figures } from './explained-figures.ts';
import type { ExplainedFigures } from './explanation-schema.ts';
import { meanOf } from './plain-forecasts.ts';
import { interpolate, type PlainOrigins, rollPlainly } from './plain-origins.ts';

const dayMs = 86_400_000;
const minOrigins = 30;
const minScored = 10;
const minGain = 0.05;
const minMoves = 10;

/** Explains a forecast: its candidates with their errors, the one picked, and why a forecast is withheld. */
export async function explainForecast(
  deps: PricesDeps,
  series: ExplainedSeries,
  { days, metric }: { days: number; metric: ForecastMetric },
): Promise<ExplainedFigures> {
  if (metric === 'index' && series.gpuName === null)
    throw badField('gpuName', 'is required: the index is per model');
  const now = deps.now();
  const before = new Date(Math.floor(now.getTime() / dayMs) * dayMs);
  const { type, gpuName } = series;
  const [[forecast], values] = await Promise.all([
    readForecasts(deps.sql, {
      ...series,
      types: [type],
      gpuNames: gpuName === null ? [] : [gpuName],
      metric,
      now,
    }),
    forecastMetrics[metric].read(deps.sql, { ...series, before }),
  ]);
  const shown = forecast?.horizons.find((each) => each.days === days);
  if (shown === undefined) throw badField('days', 'must be 1, 7 or 30 for a forecast');
  if (values.length === 0)
    throw new ApiProblem(404, 'not-found', 'No past UTC day has a value yet: wait for one to end.');
  const { missingDays, ...judged } = shown;
  const origins = rollPlainly(values, days);
  const recomputed = recompute(values, origins, days);
  const rows = origins.candidates.map((each): Figures => {
    const log = each.expected.at(-1) ?? null;
    return {
      candidate: each.candidate,
      parameters: each.parameters,
      expects: log === null ? null : Math.exp(log),
      meanErrorPercent: percentOf(each.meanError),
      rejected: each.rejected,
    };
  });
  return {
    text: [
      ...sentences({ values, origins, shown, recomputed }),
      ...(missingDays > 0 ? [`At least ${countOf(missingDays, 'more day')} with a price needed.`] : []),
    ],
    value: { ...judged, days },
    recomputed: { ...recomputed, days },
    unit: forecastMetrics[metric].unit,
    formula: `see Forecast in ${documentAt('docs/meaning.md')}`,
    taken: rows.filter(({ rejected }) => rejected === null),
    rejected: rows.filter(({ rejected }) => rejected !== null),
  };
}

type Recomputed = {
  [Name in keyof Omit<HorizonForecast, 'days' | 'missingDays'>]: HorizonForecast[Name] | string;
};

function recompute(values: readonly DailyValue[], origins: PlainOrigins, ahead: number): Recomputed {
  const { scored, now } = origins;
  const meanError = scored.length === 0 ? null : meanOf(scored.map(({ error }) => error));
  const naiveError = scored.length === 0 ? null : meanOf(scored.map(({ naiveError: error }) => error));
  const isGiven =
    origins.origins >= minOrigins &&
    scored.length >= minScored &&
    (meanError ?? 1) <= (1 - minGain) * (naiveError ?? 0) &&
    now?.candidate !== 'lastValue';
  const given = isGiven ? now : null;
  const byDay = new Map(values.map(({ day, value }) => [day, value]));
  const moves = values.flatMap(({ day, value }) => {
    const later = byDay.get(day + ahead);
    return later === undefined ? [] : [Math.abs(Math.log(later) - Math.log(value))];
  });
  const levelOf = (log: number | undefined) => (log === undefined ? null : Math.exp(log));
  return {
    status: given === null ? 'withheld' : 'ok',
    value: levelOf(given?.log),
    low: levelOf(given?.low),
    high: levelOf(given?.high),
    candidate: given?.candidate ?? null,
    origins: origins.origins,
    meanErrorPercent: percentOf(meanError),
    naiveErrorPercent: percentOf(naiveError),
    coverage: scored.length === 0 ? null : scored.filter(({ isInBand }) => isInBand).length / scored.length,
    usualMovePercent:
      moves.length < minMoves
        ? null
        : percentOf(
            interpolate(
              moves.sort((a, b) => a - b),
              0.8,
            ),
          ),
  };
}

/** Converts a difference of logs to percent; null: unknown. */
const percentOf = (log: number | null): number | null => (log === null ? null : 100 * Math.expm1(log));

function sentences(of: {
  values: readonly DailyValue[];
  origins: PlainOrigins;
  shown: HorizonForecast;
  recomputed: Recomputed;
}): string[] {
  const { values, origins, shown, recomputed } = of;
  const dayWords = (day: DailyValue | undefined) =>
    new Date((day?.day ?? 0) * dayMs).toISOString().slice(0, 10);
  const picked = origins.candidates.find(({ rejected }) => rejected === null);
  const withheld =
    origins.origins < minOrigins || origins.scored.length < minScored
      ? `${countOf(origins.origins, 'past day')} with a known outcome, ${minOrigins} needed, and ${origins.scored.length} that could pick, ${minScored} needed`
      : recomputed.candidate === null && picked?.candidate === 'lastValue'
        ? 'no candidate clearly beats the last value today'
        : 'past forecasts were not 5% closer than the last value';
  return [
    `${countOf(values.length, 'daily value')} from ${dayWords(values[0])} to ${dayWords(values.at(-1))}, days that are over; each is a point of a day.`,
    `${countOf(origins.candidates.length, 'candidate')} by their ${countOf(origins.known, 'known error')} at the last day; picked: ${picked === undefined ? 'none' : `${picked.candidate} ${picked.parameters}`.trim()}.`,
    shown.status === 'ok'
      ? `Published because past forecasts were off by ${shown.meanErrorPercent?.toFixed(2)}%, the last value by ${shown.naiveErrorPercent?.toFixed(2)}%.`
      : `Withheld: ${withheld}.`,
  ];
}
