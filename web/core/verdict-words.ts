import type { OfferVerdict, VerdictWindow } from './api.ts';

/** How a verdict looks: an icon and a color. */
export type VerdictGrade = 'great' | 'good' | 'usual' | 'dear' | 'steep' | 'unknown';

/** How each grade looks. */
export const gradeLooks: Record<OfferVerdict['summary']['grade'], VerdictGrade> = {
  very_low: 'great',
  low: 'good',
  usual: 'usual',
  high: 'dear',
  very_high: 'steep',
  // A price that is low for an unknown reason is not praised for it.
  outlier: 'unknown',
  insufficient: 'unknown',
};

/** Returns how a verdict looks; `unknown` without one. */
export const gradeOf = (verdict: OfferVerdict | null): VerdictGrade =>
  verdict === null ? 'unknown' : gradeLooks[verdict.summary.grade];

/** Says why it is unknown whether it is a good time to rent, by the verdict of the cheapest offer. */
export const withoutTiming = (verdict: OfferVerdict | null): { text: string; claim: string } =>
  verdict === null
    ? { text: 'no verdict', claim: 'the newest book is not complete' }
    : { text: 'not enough history yet', claim: 'a good time to rent is told by 30 books on 5 of 7 days' };

/** Returns the window that a verdict rests on; undefined: none has enough history. */
export const summaryWindow = ({ windows, summary }: OfferVerdict): VerdictWindow | undefined =>
  windows.find(({ days }) => days === summary.days);

/** Returns all that a verdict rests on, one line each. */
export function verdictLines(verdict: OfferVerdict): string[] {
  const { lowestInDays, windows, comparableNow, segment } = verdict;
  const ofSegment = [segment.type, segment.gpuName, segment.level === 'model' ? null : segment.verification];
  return [
    `Compared with all offers of its segment (${ofSegment.filter((part) => part !== null).join(', ')}):`,
    ...windows.map(windowWords),
    ...(lowestInDays !== null && lowestInDays > 0
      ? [`No offer of the segment was as cheap in the last ${lowestInDays} days, outliers left out.`]
      : []),
    ...(comparableNow.percentile === null
      ? []
      : [`Now: ${comparableNow.claim} of ${comparableNow.offers} comparable offers.`]),
  ];
}

function windowWords({ days, claim, status, samples, machines, missing }: VerdictWindow): string {
  if (status === 'insufficient') {
    return `${days} days: not enough data (${missing.join('; ')}).`;
  }
  return `${days} days: ${claim} of ${samples} daily prices of ${machines} machines.`;
}
