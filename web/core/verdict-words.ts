import type { OfferVerdict, VerdictWindow } from './api.ts';
import { countOf } from './figures.ts';

/** A verdict at a glance: a grade with its own icon, and words. */
export interface VerdictWords {
  grade: 'great' | 'good' | 'usual' | 'dear' | 'steep' | 'unknown';
  /** A few words. */
  text: string;
  /** What they rest on: `41 machines`; empty: nothing. */
  basis: string;
  /** All windows and what is missing, one line each. */
  detail: string;
}

/** Returns the grade of a percentile, 0 being the cheapest. */
export function gradeOf(percentile: number): Exclude<VerdictWords['grade'], 'unknown'> {
  if (percentile <= 10) return 'great';
  if (percentile <= 25) return 'good';
  if (percentile < 75) return 'usual';
  return percentile < 90 ? 'dear' : 'steep';
}

const grades: Record<Exclude<VerdictWords['grade'], 'unknown'>, string> = {
  great: 'very low',
  good: 'low',
  usual: 'usual',
  dear: 'high',
  steep: 'very high',
};

/** Windows for the short text, in order of preference. */
const preferred = [30, 90, 7];

/** Returns the window that a verdict is told by; undefined: none has enough history. */
export const toldWindow = ({ windows }: OfferVerdict): (VerdictWindow & { percentile: number }) | undefined =>
  preferred
    .map((days) => windows.find((each) => each.days === days))
    .find((each): each is VerdictWindow & { percentile: number } => each?.percentile != null);

/** A verdict as the end of a sentence that begins with the price. */
export interface VerdictSentence {
  grade: VerdictWords['grade'];
  /** Days of the window; null: there is too little history. */
  days: number | null;
  /** `cheaper than 62% of the last 30 days`, or that there is no verdict yet and why. */
  claim: string;
  /** What the claim rests on. */
  basis: string;
}

/** Describes a verdict in a sentence; null: the book is not complete. */
export function verdictSentence(verdict: OfferVerdict | null): VerdictSentence {
  const unknown = { grade: 'unknown', days: null, basis: '' } as const;
  if (verdict === null) return { ...unknown, claim: 'no verdict, because the newest book is not complete.' };
  const window = toldWindow(verdict);
  if (window === undefined) {
    // The window that lacks the least will be the first to have a verdict.
    const [next] = verdict.windows.toSorted((a, b) => a.missing.length - b.missing.length);
    const missing = (next?.missing ?? []).join(', ');
    return { ...unknown, claim: `no verdict yet: ${missing === '' ? 'no history' : missing}.` };
  }
  const { days, percentile, samples, machines } = window;
  return {
    grade: gradeOf(percentile),
    days,
    claim: `cheaper than ${Math.round(100 - percentile)}% of the last ${days} days`,
    basis: ` (${countOf(samples, 'daily price')} of ${countOf(machines, 'machine')}).`,
  };
}

/** Days with a price that a comparison of days needs. */
const minPricedDays = 3;

/**
 * Describes on how many days a segment's lowest price was below, which says more about the lowest price now than its
 * percentile; null: too few days.
 */
export function lowerDaysSentence(verdict: OfferVerdict): Pick<VerdictWords, 'grade' | 'text'> | null {
  const { pricedDays, lowerDays, lowestInDays } = verdict;
  if (pricedDays < minPricedDays) return null;
  const grade = gradeOf((100 * lowerDays) / pricedDays);
  const text =
    lowerDays === 0 && lowestInDays !== null && lowestInDays > 1
      ? `lowest in ${lowestInDays} days.`
      : `a lower price on ${lowerDays} of ${pricedDays === 30 ? 'the last 30' : pricedDays} days.`;
  return { grade, text };
}

/** Describes the verdict of an offer; null: there is none. */
export function verdictWords(verdict: OfferVerdict | null): VerdictWords {
  if (verdict === null) {
    return { grade: 'unknown', text: 'no verdict', basis: '', detail: 'No verdict available.' };
  }
  const window = toldWindow(verdict);
  const lines = verdict.windows.map(windowWords);
  if (verdict.lowestInDays !== null && verdict.lowestInDays > 0) {
    lines.unshift(`Lowest price of its segment in ${verdict.lowestInDays} days.`);
  }
  const { comparableNow: now, segment } = verdict;
  const ofSegment = [segment.type, segment.gpuName, segment.level === 'model' ? null : segment.verification];
  lines.push(`Segment: ${ofSegment.filter((part) => part !== null).join(', ')}.`);
  const cheaperNow = now.percentile === null ? null : Math.round(100 - now.percentile);
  if (cheaperNow !== null) {
    lines.push(`Now: cheaper than ${cheaperNow}% of ${now.offers} comparable offers.`);
  }
  const detail = lines.join('\n');
  if (window === undefined) {
    const text = cheaperNow === null ? 'not enough history' : `cheaper than ${cheaperNow}% now`;
    const basis = cheaperNow === null ? '' : countOf(now.offers, 'offer');
    return { grade: 'unknown', text, basis, detail };
  }
  const grade = gradeOf(window.percentile);
  const lowest = verdict.lowestInDays ?? 0;
  const text = lowest >= 7 ? `lowest in ${lowest} days` : `${grades[grade]} for ${window.days} days`;
  return { grade, text, basis: countOf(window.machines, 'machine'), detail };
}

function windowWords({ days, percentile, status, samples, machines, missing }: VerdictWindow): string {
  if (percentile === null || status === 'insufficient') {
    return `${days} days: not enough data (${missing.join('; ')}).`;
  }
  return `${days} days: cheaper than ${Math.round(100 - percentile)}% of ${samples} daily prices of ${machines} machines.`;
}
