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
  const prices = status === 'steady' ? 'prices steady' : status === 'unclear' ? unclearWords(change) : null;
  return `${prices ?? (percent < 0 ? 'prices fell' : 'prices rose')}${mixWords(change)}`;
}

/** Says that a change is not clear, and why: it is within twice its error, or only of few machines. */
const unclearWords = ({ percent, stderrPercent }: Pick<SplitChange, 'percent' | 'stderrPercent'>): string =>
  stderrPercent === null || Math.abs(percent ?? 0) > 2 * stderrPercent
    ? 'no clear change (too few machines)'
    : 'no clear change (within twice its error)';

/** Says why a change counts as clear, steady or neither: by its standard error. */
export function clarityWords({ percent, stderrPercent, status }: Omit<SplitChange, 'mixPercent'>): string {
  if (status === 'insufficient' || percent === null || stderrPercent === null) {
    return 'Too few machines were listed at both times to tell.';
  }
  const [size, error] = sizeAndError(percent, stderrPercent);
  if (status === 'steady') return `Steady: ${size} with an error of ${error} is less than 1% either way.`;
  if (status === 'clear') return `Clear: ${size} is more than twice its error of ${error}.`;
  return Math.abs(percent) > 2 * stderrPercent
    ? `Not clear: ${size} is more than twice its error of ${error}, but of too few machines or hosts.`
    : `Not clear: ${size} is not more than twice its error of ${error}, so chance alone can explain it.`;
}

/** Returns both with enough decimals to show which is larger: the change or twice its error. */
function sizeAndError(percent: number, error: number): [string, string] {
  const shown = (decimals: number) => [Math.abs(percent).toFixed(decimals), error.toFixed(decimals)] as const;
  const isTrue = (decimals: number): boolean => {
    const [size, own] = shown(decimals);
    return Number(size) > 2 * Number(own) === Math.abs(percent) > 2 * error;
  };
  const [size, own] = shown([1, 2, 3, 4, 5, 6].find(isTrue) ?? 9);
  return [`${size}%`, `±${own}`];
}

/** Describes the mix if it exceeds the error of the change. */
function mixWords({ mixPercent, stderrPercent }: SplitChange): string {
  if (mixPercent === null || stderrPercent === null) return '';
  if (Math.abs(mixPercent) < Math.max(minMixPoints, 2 * stderrPercent)) return '';
  return mixPercent > 0 ? ', cheap ones are taken' : ', more cheap ones are available';
}
