import type { OfferVerdict, VerdictWindow } from './api.ts';

/** A verdict at a glance: a grade with its own icon, and words. */
export interface VerdictWords {
  grade: 'great' | 'good' | 'usual' | 'dear' | 'steep' | 'unknown';
  /** A few words. */
  text: string;
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

/** Describes the verdict of an offer; null: there is none. */
export function verdictWords(verdict: OfferVerdict | null): VerdictWords {
  if (verdict === null) {
    return { grade: 'unknown', text: 'no verdict', detail: 'No verdict available.' };
  }
  const window = preferred
    .map((days) => verdict.windows.find((each) => each.days === days))
    .find((each) => each !== undefined && each.percentile !== null && each.status !== 'insufficient');
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
  if (window === undefined || window.percentile === null) {
    const text = cheaperNow === null ? 'not enough history' : `cheaper than ${cheaperNow}% now`;
    return { grade: 'unknown', text, detail };
  }
  const grade = gradeOf(window.percentile);
  const lowest = verdict.lowestInDays ?? 0;
  const text = lowest >= 7 ? `lowest in ${lowest} days` : `${grades[grade]} for ${window.days} days`;
  return { grade, text, detail };
}

function windowWords({ days, percentile, status, samples, machines, missing }: VerdictWindow): string {
  if (percentile === null || status === 'insufficient') {
    return `${days} days: not enough data (${missing.join('; ')}).`;
  }
  return `${days} days: cheaper than ${Math.round(100 - percentile)}% of ${samples} daily prices of ${machines} machines.`;
}
