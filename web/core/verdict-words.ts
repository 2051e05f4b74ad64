import type { OfferVerdict, VerdictWindow } from './api.ts';

/** How a verdict looks: an icon and a color. */
export type VerdictGrade = 'great' | 'good' | 'usual' | 'dear' | 'steep' | 'unknown';

const grades: Record<OfferVerdict['summary']['grade'], VerdictGrade> = {
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
  verdict === null ? 'unknown' : grades[verdict.summary.grade];

/** Returns the window that a verdict rests on; undefined: none has enough history. */
export const summaryWindow = ({ windows, summary }: OfferVerdict): VerdictWindow | undefined =>
  windows.find(({ days }) => days === summary.days);

/** Returns the name of what a price is compared with: `verified RTX 4090`. */
const segmentName = ({ segment: { level, gpuName, verification } }: OfferVerdict): string =>
  level === 'model' || verification === null ? gpuName : `${verification} ${gpuName}`;

/** Days with a price that a comparison of days needs. */
const minPricedDays = 3;

/** Says on how many days of the verdict's window some offer of its segment cost less; null: too few days. */
export function cheaperDaysWords(verdict: OfferVerdict): string | null {
  const window = summaryWindow(verdict);
  if (window === undefined || window.pricedDays < minPricedDays) return null;
  const { pricedDays, lowerDays } = window;
  const days = lowerDays === 0 ? `none of these ${pricedDays}` : `${lowerDays} of these ${pricedDays}`;
  return `The cheapest ${segmentName(verdict)} of the day cost less on ${days} days.`;
}

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
