import type { PriceChange } from './api.ts';
import { countOf, formatFixed, formatSignedPercent } from './figures.ts';

/** The periods of changes, in days. */
export const changeDays = [1, 7, 27] as const;

/** Whether some model has a change over the longest period: there are prices from before it. */
export const hasLongest = (models: readonly { changes: readonly PriceChange[] }[]): boolean =>
  models.some(({ changes }) =>
    changes.some((one) => one.days === 27 && (one.percent !== null || one.medianPercent !== null)),
  );

/** Said where no model has a change over the longest period. Source: docs/meaning.md#like-for-like-index. */
export const noLongestWords =
  'A change over 27 days, the longest, is shown once there are prices of 27 days before.';

/** What a change compares, unlike that of the median below it. */
export const sameMachines = 'same machines';

/** When a change is clear, and so is bold and has a color. */
export const clearWords = 'in color where they are more than twice that';

/** A price change at a glance. */
export interface ChangeWords {
  /** The like-for-like change: `−2.4% ± 0.3`, `steady`, `–` if unknown. */
  text: string;
  /** The change of the median of a whole UTC day; null: one of the days has none. */
  median: string | null;
  /** The direction of a clear change; null: steady or unclear. */
  direction: 'down' | 'up' | null;
  /** The full explanation in sentences. */
  detail: string;
}

/** Describes a change split into prices and mix. Source: docs/meaning.md#like-for-like-index. */
export function changeWords(change: PriceChange): ChangeWords {
  const { days, percent, stderrPercent, medianPercent, mixPercent, status, words } = change;
  const isKnown = status !== 'insufficient' && percent !== null;
  const prices = percent === null ? 'unknown' : withError(percent, stderrPercent);
  const mix =
    mixPercent === null
      ? 'unknown'
      : `${formatSignedPercent(mixPercent).replace(/\s?%/, '')} points${isUnsaid(change) ? ', less than twice that error' : ''}`;
  const median = medianPercent === null ? null : formatSignedPercent(medianPercent);
  return {
    text: !isKnown ? '–' : status === 'steady' ? 'steady' : prices,
    median,
    direction: status !== 'clear' || percent === null ? null : percent < 0 ? 'down' : 'up',
    detail: [
      `In ${countOf(days, 'day')}: ${words}.`,
      `Day’s median (of all prices of that day): ${median ?? 'unknown'}.`,
      `Prices of the same machines (like for like): ${prices}. Mix of machines: ${mix}.`,
    ].join('\n'),
  };
}

/** Returns the like-for-like change without its error: `−2.4%`, `steady`, `–` if unknown. */
export const changeInBrief = ({ percent, status }: PriceChange): string =>
  status === 'insufficient' || percent === null
    ? '–'
    : status === 'steady'
      ? 'steady'
      : formatSignedPercent(percent);

/** Whether the words do not say the mix because it is too small for the error of the change; it then may be chance. */
const isUnsaid = ({ mixPercent, stderrPercent }: PriceChange): boolean =>
  Math.abs(mixPercent ?? 0) >= 1 && Math.abs(mixPercent ?? 0) < 2 * (stderrPercent ?? 0);

/** Returns a change and its error, with a second decimal where that shows which is larger: the change or twice its error. */
function withError(percent: number, error: number | null): string {
  if (error === null) return formatSignedPercent(percent);
  const rounded = (value: number, decimals: number): number => Number(Math.abs(value).toFixed(decimals));
  const isTrue = (decimals: number): boolean =>
    rounded(percent, decimals) > 2 * rounded(error, decimals) === Math.abs(percent) > 2 * error;
  // In a table more would push other columns away; the explanation has as many as it takes.
  const decimals = [1, 2].find(isTrue) ?? 1;
  return `${formatSignedPercent(percent, decimals)} ± ${formatFixed(error, decimals)}`;
}
