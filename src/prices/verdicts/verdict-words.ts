import { countOf } from '../../core/count-of.ts';
import type { Verification } from '../../core/offer-fields.ts';
import { gradePercentile, type PriceGrade } from './price-grade.ts';

/** Windows of a verdict in days, the one that it is summarized by first. */
export const preferredDays = [30, 90, 7] as const;

/** A verdict in words, the same wherever a price is judged. */
export interface VerdictSummary {
  grade: PriceGrade | 'outlier' | 'insufficient';
  /** The window that it rests on; null: none. */
  days: number | null;
  /** A few words: `very low among RTX 4090s`. */
  text: string;
  /** What they rest on, briefly: `cheaper than 93% of verified ones in 30 days`; empty: nothing. */
  claim: string;
  /** Both, with what the price is compared with. */
  sentence: string;
}

/** What a window says of a price; null: insufficient data, of which `missing` says what. */
interface JudgedWindow {
  days: number;
  percentile: number | null;
  samples: number;
  machines: number;
  missing: readonly string[];
}

/** What a verdict is summarized from. */
interface Judged {
  windows: readonly JudgedWindow[];
  comparableNow: { percentile: number | null; offers: number };
  usdPerGpuHour: number;
  /** What it is compared with; `verification` null: all tiers, or none is known. */
  segment: { gpuName: string; verification: Verification | null };
  /** The usual price of its segment if this one is an outlier, else null. */
  usual: number | null;
}

/** Returns a verdict in words. Source: docs/meaning.md#verdicts. */
export function summarizeVerdict(judged: Judged): VerdictSummary {
  const { windows, comparableNow, usdPerGpuHour, segment, usual } = judged;
  if (usual !== null) {
    const [side, limit] =
      usdPerGpuHour < usual ? ['below', 'below a quarter of'] : ['above', 'above four times'];
    const text = 'outlier';
    const claim = `far ${side} the usual price`;
    return {
      grade: 'outlier',
      days: null,
      text,
      claim,
      sentence: `${text}: ${limit} the usual price of 30 days, so look twice at the machine`,
    };
  }
  const window = windowOf(windows);
  const { gpuName, verification } = segment;
  if (window === undefined) {
    const kind = verification === null ? gpuName : `${verification} ${gpuName}`;
    return withoutHistory(windows, comparableNow, kind);
  }
  const { days, percentile, samples, machines } = window;
  const grade = gradePercentile(percentile);
  // A name that ends in S is its own plural: L40S.
  const text = `${grade.replace('_', ' ')} among ${gpuName}${gpuName.endsWith('S') ? '' : 's'}`;
  const cheaper = cheaperClaim(percentile);
  const [one, ones] =
    verification === null ? ['machine', 'all'] : [`${verification} one`, `${verification} ones`];
  const basis = `${countOf(samples, 'daily price')} of ${countOf(machines, one)}`;
  const [claim, sentence] = [
    `${cheaper} of ${ones} in ${days} days`,
    `${text}: ${cheaper} of ${basis} in ${days} days`,
  ];
  return { grade, days, text, claim, sentence };
}

/** Returns the window that a verdict is summarized by; undefined: none has enough history. */
const windowOf = (windows: readonly JudgedWindow[]) =>
  preferredDays
    .map((days) => windows.find((each) => each.days === days))
    .find((each): each is JudgedWindow & { percentile: number } => each?.percentile != null);

function withoutHistory(
  windows: readonly JudgedWindow[],
  { percentile, offers }: Judged['comparableNow'],
  kind: string,
): VerdictSummary {
  // The window that lacks the least will be the first to have a verdict.
  const [next] = windows.toSorted((a, b) => a.missing.length - b.missing.length);
  const missing = (next?.missing ?? []).join(', ') || 'no history';
  const text = 'no verdict yet';
  const claim =
    percentile === null || offers < 2 ? '' : `${cheaperClaim(percentile)} of ${offers} ${kind} offers now`;
  return {
    grade: 'insufficient',
    days: null,
    text,
    claim,
    sentence: `${text}: ${missing}${claim === '' ? '' : `; ${claim}`}`,
  };
}

/** Returns what a percentile means: `cheaper than 93%`; empty for null. */
export const cheaperClaim = (percentile: number | null): string =>
  percentile === null ? '' : `cheaper than ${shareWords(100 - percentile)}`;

/**
 * Returns a percentage of prices in words, rounded to a whole number that has its grade as a percentile, if one beside it
 * does: 89.6 is 89%. 100 only if it is all of them, 0 only if it is none.
 */
export function shareWords(percent: number): string {
  const grade = gradePercentile(percent);
  const rounded = Math.round(percent);
  const nearest = percent < 100 && rounded === 100 ? 99 : percent > 0 && rounded === 0 ? 1 : rounded;
  const other = nearest > percent ? nearest - 1 : Math.ceil(percent);
  const isOther = gradePercentile(nearest) !== grade && gradePercentile(other) === grade;
  return `${isOther ? other : nearest}%`;
}
