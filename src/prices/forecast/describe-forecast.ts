import { countOf } from '../../core/count-of.ts';
import type { HorizonForecast } from './judge-forecast.ts';

/** The words for a forecast's subject. */
export interface ForecastWords {
  /** Formats a value; empty if unknown. */
  inWords: (value: number | null) => string;
  /** The name of the last value: `today's price`. */
  nowWords: string;
}

/** When a forecast is made. */
export interface ForecastMoment {
  /** The last closed UTC day with a price; null: there is none. */
  lastDay: Date | null;
  now: Date;
  /** What comes before the number of days. @default `In` */
  lead?: string;
}

const dayMs = 86_400_000;

/** Returns when the days will be enough; empty for a market without new prices. */
function readyWords({ missingDays }: HorizonForecast, lastDay: Date | null, now: Date): string {
  const readyAt = new Date((lastDay?.getTime() ?? now.getTime()) + (missingDays + 1) * dayMs);
  return readyAt > now ? `, so not before ${readyAt.toISOString().slice(0, 10)}` : '';
}

/** Describes a forecast with its error, or why there is none. Source: docs/meaning.md#forecast. */
export function describeHorizon(
  horizon: HorizonForecast,
  { inWords, nowWords }: ForecastWords,
  { lastDay, now, lead = 'In' }: ForecastMoment,
): string {
  const { days, status, value, low, high, candidate, origins, coverage } = horizon;
  const ahead = `${lead} ${days} ${days === 1 ? 'day' : 'days'}`;
  const meanError = percentWords(horizon.meanErrorPercent);
  const naiveError = percentWords(horizon.naiveErrorPercent);
  if (status === 'ok') {
    const band = `${inWords(low)} to ${inWords(high)} in 8 of 10 cases`;
    const method = methodNames[candidate ?? 'lastValue'];
    const scores = `${shareWords(coverage)} of outcomes in such a band, ${origins} origins`;
    return `${ahead}: ${inWords(value)} (${band}), by ${method}; mean error ${meanError}, of ${nowWords} ${naiveError}; ${scores}.`;
  }
  const none =
    horizon.missingDays > 0
      ? `too few days to judge a forecast: ${countOf(horizon.missingDays, 'more day')} with prices ${horizon.missingDays === 1 ? 'is' : 'are'} needed${readyWords(horizon, lastDay, now)}`
      : `no forecast beats ${nowWords}`;
  const move = horizon.usualMovePercent;
  const usual =
    move === null
      ? ''
      : `; in 8 of 10 ${spanNames[days] ?? 'such times'} it moved by less than ±${percentWords(move)}`;
  return `${ahead}: ${none}${usual}.`;
}

/** Names of these spans of days. */
const spanNames: Partial<Record<number, string>> = { 1: 'days', 7: 'weeks', 30: 'months' };

/** Display names of forecast methods. */
export const methodNames = {
  lastValue: 'last value',
  drift: 'drift',
  dampedTrend: 'damped trend',
  weekday: 'weekday',
} as const;

/** Returns a percentage with one decimal; empty if unknown. */
export const percentWords = (value: number | null): string => (value === null ? '' : `${value.toFixed(1)}%`);

/** Returns a share in percent; empty if unknown. */
export const shareWords = (value: number | null): string =>
  value === null ? '' : `${(100 * value).toFixed(0)}%`;
