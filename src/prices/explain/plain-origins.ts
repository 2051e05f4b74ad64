import type { DailyValue } from '../forecast/daily-values.ts';
import { forecastPlainly, meanOf, type PlainCandidate } from './plain-forecasts.ts';

/** A candidate's record at the last origin. */
export interface JudgedCandidate extends PlainCandidate {
  /** Mean absolute error of the logs over known outcomes; null: too few. */
  meanError: number | null;
  /** Why it was not picked; null: it was. */
  rejected: string | null;
}

export interface PlainOrigins {
  /** Number of known errors at the last origin. */
  known: number;
  candidates: JudgedCandidate[];
  /** Origins with a known outcome. */
  origins: number;
  /** Those with a pick: its error, the last value's error, and whether the outcome was in the band. */
  scored: { error: number; naiveError: number; isInBand: boolean }[];
  /** The last day's forecast, logs; null: too few errors are known. */
  now: { candidate: string; log: number; low: number; high: number } | null;
}

const firstOrigin = 27;
const minErrors = 20;
const minGain = 0.05;
const minStandardErrors = 2;

/** Replays a series' origins, each with what was known on its day. Source: docs/meaning.md#forecast. */
export function rollPlainly(series: readonly DailyValue[], ahead: number): PlainOrigins {
  const outcome = new Map(series.map(({ day, value }) => [day, Math.log(value)]));
  const candidates = forecastPlainly(series, ahead);
  const errorOf = (candidate: PlainCandidate | undefined, place: number): number => {
    const actual = outcome.get((series[place]?.day ?? Number.NaN) + ahead);
    return actual === undefined ? Number.NaN : actual - (candidate?.expected[place] ?? Number.NaN);
  };
  const errors = candidates.map((each) => series.map((_, place) => errorOf(each, place)));
  const scored: PlainOrigins['scored'] = [];
  let last: { known: number[]; judged: JudgedCandidate[]; now: PlainOrigins['now'] } | null = null;
  for (let place = firstOrigin; place < series.length; place += 1) {
    const today = series[place]?.day ?? 0;
    const known = series.flatMap(({ day }, other) =>
      other >= firstOrigin && day + ahead <= today && outcome.has(day + ahead) ? [other] : [],
    );
    const judged = judge(candidates, errors, known, ahead);
    const picked = judged.findIndex(({ rejected }) => rejected === null);
    if (picked === -1) {
      last = { known, judged, now: null };
      continue;
    }
    const own = known.map((other) => errors[picked]?.[other] ?? 0).sort((a, b) => a - b);
    const [low, high] = [interpolate(own, 0.1), interpolate(own, 0.9)];
    const log = judged[picked]?.expected[place] ?? Number.NaN;
    const { candidate = '' } = judged[picked] ?? {};
    last = { known, judged, now: { candidate, log, low: log + low, high: log + high } };
    const [error, naiveError] = [errors[picked]?.[place] ?? Number.NaN, errors[0]?.[place] ?? Number.NaN];
    if (!Number.isNaN(error)) {
      const isInBand = error >= low && error <= high;
      scored.push({ error: Math.abs(error), naiveError: Math.abs(naiveError), isInBand });
    }
  }
  const origins = series.filter(({ day }, place) => place >= firstOrigin && outcome.has(day + ahead)).length;
  return {
    origins,
    scored,
    known: last?.known.length ?? 0,
    now: last?.now ?? null,
    candidates: last?.judged ?? judge(candidates, errors, [], ahead),
  };
}

/** Picks an origin's candidate by the errors that it knows, with the reason against each other one. */
function judge(
  candidates: readonly PlainCandidate[],
  errors: readonly (readonly number[])[],
  known: readonly number[],
  ahead: number,
): JudgedCandidate[] {
  const sizes = errors.map((own) => known.map((place) => Math.abs(own[place] ?? 0)));
  const naive = sizes[0] ?? [];
  const means = sizes.map((own) => (own.length < minErrors ? null : meanOf(own)));
  const reasons = sizes.map((own, index) => {
    const [mean, naiveMean] = [means[index] ?? null, means[0] ?? null];
    if (mean === null || naiveMean === null) return `fewer than ${minErrors} past errors are known`;
    if (index === 0) return null;
    if (mean > (1 - minGain) * naiveMean) return 'not 5% closer than the last value';
    const gains = own.map((size, at) => (naive[at] ?? 0) - size);
    const gain = meanOf(gains);
    const variance = gains.reduce((sum, each) => sum + (each - gain) ** 2, 0) / (gains.length - 1);
    const isClear = gain > minStandardErrors * Math.sqrt(variance) * Math.sqrt(ahead / gains.length);
    return isClear ? null : 'its gain may be chance';
  });
  const qualified = means.flatMap((mean, index) =>
    reasons[index] === null && mean !== null ? [{ mean, index }] : [],
  );
  const best = qualified.reduce((a, b) => (b.mean < a.mean ? b : a), {
    mean: Number.POSITIVE_INFINITY,
    index: -1,
  });
  return candidates.map((candidate, index) => ({
    ...candidate,
    meanError: means[index] ?? null,
    rejected: reasons[index] ?? (index === best.index ? null : 'another was closer'),
  }));
}

/** Interpolates linearly among ascending values. */
export function interpolate(ascending: readonly number[], share: number): number {
  const place = share * (ascending.length - 1);
  const [below, above] = [ascending[Math.floor(place)] ?? 0, ascending[Math.ceil(place)] ?? 0];
  return below + (above - below) * (place - Math.floor(place));
}
