import { countBelow } from '../../core/count-below.ts';
import { percentileCont } from '../../core/percentile.ts';
import { type Candidate, createForecasters } from './candidates.ts';
import type { DailyValue } from './daily-values.ts';

/** What one forecaster would have said on past days, in the order of time; logs. */
interface Track {
  candidate: Candidate;
  forecasts: number[];
  /** Outcome − forecast; NaN: the outcome's day has no value, or is to come. */
  errors: number[];
}

/** A past origin with what was picked for it, in logs. */
interface ScoredPick {
  error: number;
  naiveError: number;
  isInBand: boolean;
}

export interface RollingOrigins {
  /** Origins whose outcome is known. */
  origins: number;
  /** Of them those with a pick. */
  scored: ScoredPick[];
  /** Of the last day: the log it expects with its band; null: too few errors are known. */
  now: { candidate: Candidate; log: number; low: number; high: number } | null;
}

const minValues = 28;
const minErrors = 20;
/** A candidate must have been better than the last value by this share, and by so many standard errors. */
export const minGain = 0.05;
const minStandardErrors = 2;

/**
 * Forecasts `days` ahead from every day of the past after 28 values. Each origin picks its candidate and its band from the errors
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

/** Keeps the known errors of the last pick in order: most origins add a few to those of the one before. */
function createAscending() {
  let [own, taken]: [number[] | null, number] = [null, 0];
  const ascending: number[] = [];
  return {
    /** Of the errors those at the known places, of which there are never fewer. */
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
  /** Sums over the known errors: their sizes, by how much they were smaller than the last value's, and the squares of that. */
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

/** The place of the forecaster with the smallest errors of those that clearly beat the last value; 0: none does. */
function pick(scores: readonly Score[], count: number, days: number): number {
  const naive = scores[0]?.errors ?? 0;
  let best = 0;
  for (const [index, { errors, gains, squares }] of scores.entries()) {
    if (index === 0 || errors > (1 - minGain) * naive || errors >= (scores[best]?.errors ?? 0)) continue;
    const mean = gains / count;
    const variance = Math.max(0, (squares - count * mean * mean) / (count - 1));
    // Errors of horizons that overlap repeat each other: `days` of them say as much as one.
    if (mean > minStandardErrors * Math.sqrt((variance * days) / count)) best = index;
  }
  return best;
}
