/** The parts of a change that its description depends on; percent and points. */
interface SplitChange {
  percent: number | null;
  stderrPercent: number | null;
  mixPercent: number | null;
  status: 'insufficient' | 'steady' | 'clear' | 'unclear';
}

/** A smaller mix counts as none, as a smaller change counts as steady. */
const minMixPoints = 1;

/**
 * Returns the meaning of a change in a few words, never empty: `prices steady, cheap ones are taken`. Responses carry
 * it as `words` of each change; reports and other texts use it from there or from `describeChanges`.
 * Source: docs/meaning.md#like-for-like-index.
 */
export function priceVerdict(change: SplitChange): string {
  const { percent, status } = change;
  if (status === 'insufficient' || percent === null) return 'too few machines to compare';
  const prices =
    status === 'steady' ? 'prices steady' : status === 'unclear' ? 'no clear change of prices' : null;
  return `${prices ?? (percent < 0 ? 'prices fell' : 'prices rose')}${mixWords(change)}`;
}

/** Describes the mix if it exceeds the error of the change. */
function mixWords({ mixPercent, stderrPercent }: SplitChange): string {
  if (mixPercent === null || stderrPercent === null) return '';
  if (Math.abs(mixPercent) < Math.max(minMixPoints, 2 * stderrPercent)) return '';
  return mixPercent > 0 ? ', cheap ones are taken' : ', more cheap ones are free';
}
