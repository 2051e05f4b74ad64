import type { JudgedOffer, OfferVerdict, VerdictWindow } from './api.ts';

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

/**
 * Whether a sentence about a model's lowest price leads with that of verified machines: the lowest is of a machine that
 * its market has not verified, and there is a verified one.
 */
export const leadsWithVerified = (lowest: Pick<JudgedOffer, 'verification'>, verified: unknown): boolean =>
  verified !== null && lowest.verification !== null && lowest.verification !== 'verified';

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
