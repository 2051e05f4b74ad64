import type { HorizonForecast } from './judge-forecast.ts';

/** A forecast with its error, or why there is none, in a sentence or two. Source: docs/meaning.md#forecast. */
export function describeHorizon(
  horizon: HorizonForecast,
  shownPrice: (value: number | null) => string,
  lead = 'In',
): string {
  const { days, status, value, low, high, candidate, coverage } = horizon;
  const ahead = `${lead} ${days} ${days === 1 ? 'day' : 'days'}`;
  if (status === 'ok') {
    const band = `${shownPrice(low)} to ${shownPrice(high)} in 8 of 10 cases`;
    const errors = `mean error ${percentWords(horizon.meanErrorPercent)}, of the last price ${percentWords(horizon.naiveErrorPercent)}`;
    return `${ahead}: ${shownPrice(value)} (${band}), by ${methodNames[candidate ?? 'lastValue']}; ${errors}, ${shareWords(coverage)} in the band, ${horizon.origins} origins.`;
  }
  const move = horizon.usualMovePercent;
  const usual = move === null ? '' : ` In 8 of 10 such times it moved by less than ±${percentWords(move)}.`;
  return `${ahead}: no forecast beats the last price.${usual}`;
}

/** The ways to forecast as people read them. */
export const methodNames = {
  lastValue: 'last value',
  drift: 'drift',
  dampedTrend: 'damped trend',
  weekday: 'weekday',
} as const;

/** A percentage with a decimal; empty: unknown. */
export const percentWords = (value: number | null): string => (value === null ? '' : `${value.toFixed(1)} %`);

/** A share in percent; empty: unknown. */
export const shareWords = (value: number | null): string =>
  value === null ? '' : `${(100 * value).toFixed(0)} %`;
