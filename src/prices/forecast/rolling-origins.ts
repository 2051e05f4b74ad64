import { countBelow } from '../../core/count-below.ts';
import { percentileCont } from '../../core/percentile.ts';
import { type Candidate, createForecasters } from './candidates.ts';
import type { DailyValue } from './daily-values.ts';

/** What one forecaster would have predicted on past days, in time order; logs. */
interface Track {
  candidate: Candidate;
  forecasts: number[];
  /** Outcome − forecast; NaN: the outcome is missing or in the future. */
  errors: number[];
}

/** A past origin and the forecast picked for it, in logs. */
interface ScoredPick {
  error: number;
  naiveError: number;
  isInBand: boolean;
}

export interface RollingOrigins {
  /** Origins with a known outcome. */
  origins: number;
  /** Those of them with a pick. */
  scored: ScoredPick[];
  /** The last day's expected log and band; null: too few errors are known. */
  now: { candidate: Candidate; log: number; low: number; high: number } | null;
}

/** Values before the first forecast. */
export const minValues = 28;
/** Known errors before the first pick. */
export const minErrors = 20;
/** A candidate must have beaten the last value by this share and by this many standard errors. */
export const minGain = 0.05;
const minStandardErrors = 2;

/**
 * Forecasts `days` ahead from every past day after 28 values. Each origin picks its candidate and its band from errors
 * whose outcomes were known on that day. Source: docs/meaning.md#forecast.
 */
export function rollOrigins(series: readonly DailyValue[], days: number): RollingOrigins {
  const logs = new Map(series.map(({ day, value }) => [day, Math.log(value)]));
  const origins = series.slice(minValues - 1).map(({ day }) => day);
  const tracks = followAll(series, logs, days);
  const scores = tracks.map(() => ({ errors: 0, gains: 0, squares: 0 }));
  const naive = tracks[0]?.errors ?? [];
  const known: number[] = [];
  const ascending = createAscending();
  const scored: ScoredPick[] = [];
  let now: RollingOrigins['now'] = null;
  let outcome = 0;
  for (const [at, day] of origins.entries()) {
    for (; outcome < at && (origins[outcome] as number) + days <= day; outcome += 1) {
      const naiveError = naive[outcome] as number;
      if (Number.isNaN(naiveError)) continue;
      known.push(outcome);
      for (const [index, track] of tracks.entries())
        addError(scores[index], track.errors[outcome], naiveError);
    }
    if (known.length < minErrors) continue;
    const picked = tracks[pick(scores, known.length, days)] as Track;
    const forecast = picked.forecasts[at] as number;
    const errors = ascending.of(picked.errors, known);
    const [low, high] = [percentileCont(errors, 0.1) ?? 0, percentileCont(errors, 0.9) ?? 0];
    now = { candidate: picked.candidate, log: forecast, low: forecast + low, high: forecast + high };
    const [error, naiveError] = [picked.errors[at] as number, naive[at] as number];
    if (!Number.isNaN(error)) scored.push({ error, naiveError, isInBand: error >= low && error <= high });
  }
  return { origins: naive.filter((error) => !Number.isNaN(error)).length, scored, now };
}

/** Keeps the last pick's known errors sorted, because most origins only add a few. */
function createAscending() {
  let [own, taken]: [number[] | null, number] = [null, 0];
  const ascending: number[] = [];
  return {
    /** Returns the errors at the known places, whose number never falls. */
    of: (errors: number[], known: readonly number[]): readonly number[] => {
      if (errors !== own) {
        [own, taken] = [errors, 0];
        ascending.length = 0;
      }
      for (; taken < known.length; taken += 1) {
        const error = errors[known[taken] as number] as number;
        ascending.splice(countBelow(ascending, error), 0, error);
      }
      return ascending;
    },
  };
}

function followAll(series: readonly DailyValue[], logs: ReadonlyMap<number, number>, days: number): Track[] {
  const forecasters = createForecasters();
  const tracks = forecasters.map(({ candidate }): Track => ({ candidate, forecasts: [], errors: [] }));
  for (const [place, { day, value }] of series.entries()) {
    for (const [index, forecaster] of forecasters.entries()) {
      forecaster.observe(day, Math.log(value));
      if (place < minValues - 1) continue;
      const forecast = forecaster.predict(days);
      tracks[index]?.forecasts.push(forecast);
      tracks[index]?.errors.push((logs.get(day + days) ?? Number.NaN) - forecast);
    }
  }
  return tracks;
}

interface Score {
  /** Sums over known errors: their sizes, how much smaller they were than the last value's, and the squares of that. */
  errors: number;
  gains: number;
  squares: number;
}

function addError(score: Score | undefined, error: number | undefined, naiveError: number): void {
  if (score === undefined || error === undefined) return;
  const gain = Math.abs(naiveError) - Math.abs(error);
  score.errors += Math.abs(error);
  score.gains += gain;
  score.squares += gain * gain;
}

/** Returns the index of the best forecaster that clearly beats the last value; 0: none does. */
function pick(scores: readonly Score[], count: number, days: number): number {
  const naive = scores[0]?.errors ?? 0;
  let best = 0;
  for (const [index, { errors, gains, squares }] of scores.entries()) {
    if (index === 0 || errors > (1 - minGain) * naive || errors >= (scores[best]?.errors ?? 0)) continue;
    const mean = gains / count;
    const variance = Math.max(0, (squares - count * mean * mean) / (count - 1));
    // Errors of overlapping horizons repeat each other: `days` of them count as one.
    if (mean > minStandardErrors * Math.sqrt((variance * days) / count)) best = index;
  }
  return best;
}
