/** The parts of a change that its meaning follows from; percent and points. */
interface SplitChange {
  percent: number | null;
  stderrPercent: number | null;
  mixPercent: number | null;
  status: 'insufficient' | 'steady' | 'clear' | 'unclear';
}

/** A mix of fewer points is as good as none, as a change below it is steady. */
const minMixPoints = 1;

/**
 * What a change means, in a few words: `prices steady, cheap ones are taken`. Never empty. Answers carry it as `words` of
 * each change; reports and other texts take it from there, or from `describeChanges`.
 * Source: docs/meaning.md#like-for-like-index.
 */
export function priceVerdict(change: SplitChange): string {
  const { percent, status } = change;
  if (status === 'insufficient' || percent === null) return 'too few machines to compare';
  const prices =
    status === 'steady' ? 'prices steady' : status === 'unclear' ? 'no clear change of prices' : null;
  return `${prices ?? (percent < 0 ? 'prices fell' : 'prices rose')}${mixWords(change)}`;
}

/** What the mix adds where it is more than the error of the change it is left from. */
function mixWords({ mixPercent, stderrPercent }: SplitChange): string {
  if (mixPercent === null || stderrPercent === null) return '';
  if (Math.abs(mixPercent) < Math.max(minMixPoints, 2 * stderrPercent)) return '';
  return mixPercent > 0 ? ', cheap ones are taken' : ', more cheap ones are free';
}
