import type { OfferVerdict, PriceTiming, VerdictWindow } from './api.ts';
import { countOf, formatUsd } from './figures.ts';
import { formatLength, formatMoment, formatRelative } from './times.ts';

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

/**
 * Says in what share of the time the lowest price was lower or higher than now and its usual price, then what it was before,
 * for some hours: `it was higher than now in …, usually $0.2500; it was $0.2078 for 9 h until 3 h ago`. `newest`: a recorded
 * market's newest book; null: it is now.
 */
export function timingClaim(
  {
    claim,
    last,
    medianUsdPerGpuHour,
  }: Pick<NonNullable<PriceTiming>, 'claim' | 'last' | 'medianUsdPerGpuHour'>,
  { now, newest }: { now: number; newest: string | null },
): string {
  const [median, shown] = [formatUsd(medianUsdPerGpuHour), formatUsd(now)];
  const share = claim.replace(/^the lowest price was (lower|higher) in/, 'it was $1 than now in');
  if (share === claim) return claim;
  const usual = `, usually ${median}${median === shown ? ', as now' : ''}`;
  if (last === null) return `${share}${usual}`;
  const held = formatLength((Date.parse(last.until) - Date.parse(last.since)) / 60_000);
  const until = newest === null ? formatRelative(last.until) : formatMoment(last.until);
  return `${share}${usual}; it was ${formatUsd(last.usdPerGpuHour)} for ${held} until ${until}`;
}

/** Returns the window that a verdict rests on; undefined: none has enough history. */
export const summaryWindow = ({ windows, summary }: OfferVerdict): VerdictWindow | undefined =>
  windows.find(({ days }) => days === summary.days);

/** Returns all that a verdict rests on, one line each. */
export function verdictLines(verdict: OfferVerdict): string[] {
  const { lowestInDays, windows, comparableNow, segment } = verdict;
  const tier = segment.level === 'model' ? null : segment.verification;
  return [
    `Compared with ${tier ?? 'all'} machines, whatever their reliability (${segment.type}, ${segment.gpuName}):`,
    ...windows.map(windowWords),
    ...(lowestInDays !== null && lowestInDays > 0
      ? [`None of them was as cheap in the last ${lowestInDays} days, outliers left out.`]
      : []),
    ...(comparableNow.percentile === null
      ? []
      : [`Now: ${comparableNow.claim} of ${countOf(comparableNow.offers, `${tier ?? 'listed'} offer`)}.`]),
  ];
}

function windowWords({ days, claim, status, samples, machines, missing }: VerdictWindow): string {
  if (status === 'insufficient') {
    return `${days} days: not enough data (${missing.join('; ')}).`;
  }
  return `${days} days: ${claim} of ${samples} daily prices of ${machines} machines.`;
}
