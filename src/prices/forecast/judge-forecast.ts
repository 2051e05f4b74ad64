import { percentileCont } from '../../core/percentile.ts';
import type { Candidate } from './candidates.ts';
import type { DailyValue } from './daily-values.ts';
import { minErrors, minGain, minValues, rollOrigins } from './rolling-origins.ts';

/** Days that forecasts look ahead. */
export const forecastDays = [1, 7, 30] as const;

/** The forecast of one horizon with its published error. Source: docs/meaning.md#forecast. */
export interface HorizonForecast {
  days: number;
  status: 'ok' | 'withheld';
  /** This and the next three are null if the forecast is withheld. */
  value: number | null;
  /** Eight of ten outcomes are expected between `low` and `high`. */
  low: number | null;
  high: number | null;
  candidate: Candidate | null;
  /** Mean absolute error of past forecasts, and of the last value on the same days; null: no outcome is known. */
  meanErrorPercent: number | null;
  naiveErrorPercent: number | null;
  /** Share of outcomes within the band, 0 to 1; null: no outcome is known. */
  coverage: number | null;
  /** Past days with a known outcome. */
  origins: number;
  /** Days with prices that are missing, at least, before a forecast can be judged; 0: none. */
  missingDays: number;
  /** The value moved by at most this over as many days eight times in ten; null: under 10 such times. */
  usualMovePercent: number | null;
}

/** Minimum number of past days with a known outcome. */
const minOrigins = 30;
const minScored = 10;
const minMoves = 10;
const usualShare = 0.8;
const significantDigits = 9;

/** Returns the forecasts of all horizons from the last day of a series, which starts with its oldest day. */
export function judgeForecasts(series: readonly DailyValue[]): HorizonForecast[] {
  return forecastDays.map((days) => judgeHorizon(series, days));
}

/** Returns the forecast of one horizon. */
export function judgeHorizon(series: readonly DailyValue[], days: number): HorizonForecast {
  const { origins, scored, now } = rollOrigins(series, days);
  const meanError = meanOf(scored.map(({ error }) => Math.abs(error)));
  const naiveError = meanOf(scored.map(({ naiveError: error }) => Math.abs(error)));
  const isBetter = meanError !== null && naiveError !== null && meanError <= (1 - minGain) * naiveError;
  const isKnown = origins >= minOrigins && scored.length >= minScored;
  const given = isKnown && isBetter && now !== null && now.candidate !== 'lastValue' ? now : null;
  const level = (log: number | undefined): number | null =>
    log === undefined ? null : Number(Math.exp(log).toPrecision(significantDigits));
  return {
    days,
    status: given === null ? 'withheld' : 'ok',
    value: level(given?.log),
    low: level(given?.low),
    high: level(given?.high),
    candidate: given?.candidate ?? null,
    meanErrorPercent: percentOf(meanError),
    naiveErrorPercent: percentOf(naiveError),
    coverage: meanOf(scored.map(({ isInBand }) => (isInBand ? 1 : 0))),
    origins,
    missingDays: isKnown ? 0 : Math.max(1, missingDaysOf(series.length, origins, days)),
    usualMovePercent: usualMove(series, days),
  };
}

/**
 * Returns how many more days with prices make `minOrigins` outcomes known, of which `minScored` have a pick. No day
 * counts before `minValues` of them and the horizon have passed.
 */
function missingDaysOf(values: number, origins: number, days: number): number {
  const needed = Math.max(minOrigins, minErrors + minScored - 1 + days);
  return needed - origins + Math.max(0, minValues - 1 + days - values);
}

/** Returns the 80th percentile of moves over this many days, in percent; null: under 10 moves. */
function usualMove(series: readonly DailyValue[], days: number): number | null {
  const values = new Map(series.map(({ day, value }) => [day, value]));
  const moves = series.flatMap(({ day, value }) => {
    const later = values.get(day + days);
    return later === undefined ? [] : [Math.abs(Math.log(later / value))];
  });
  if (moves.length < minMoves) return null;
  return percentOf(percentileCont(Float64Array.from(moves).sort(), usualShare));
}

/** Converts a difference of logs to a percentage. */
const percentOf = (log: number | null): number | null =>
  log === null ? null : Number((100 * Math.expm1(log)).toPrecision(significantDigits));

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
