import type { PriceChange } from './api.ts';
import { countOf, formatFixed, formatSignedPercent } from './figures.ts';

/** The spans of time that changes are shown over, days. */
export const changeDays = [1, 7, 27] as const;

/** A change as a reader takes it in at a glance. */
export interface ChangeWords {
  /** Prices like for like: `−2.4 % ± 0.3`, `steady`, `–` where it is unknown. */
  text: string;
  /** What the median did beside it; null: one of the days has none. */
  median: string | null;
  /** Which way prices went for certain; null: they are steady, or it is not certain. */
  direction: 'down' | 'up' | null;
  /** Everything in sentences. */
  detail: string;
}

/** A change split into prices and mix, in words. Source: docs/meaning.md#like-for-like-index. */
export function changeWords(change: PriceChange): ChangeWords {
  const { days, percent, stderrPercent, medianPercent, mixPercent, status, words } = change;
  const isKnown = status !== 'insufficient' && percent !== null;
  const error = stderrPercent === null ? '' : ` ± ${formatFixed(stderrPercent, 1)}`;
  const prices = percent === null ? 'unknown' : `${formatSignedPercent(percent)}${error}`;
  const mix = mixPercent === null ? 'unknown' : `${formatSignedPercent(mixPercent).replace(' %', '')} points`;
  const median = medianPercent === null ? null : formatSignedPercent(medianPercent);
  return {
    text: !isKnown ? '–' : status === 'steady' ? 'steady' : prices,
    median,
    direction: status !== 'clear' || percent === null ? null : percent < 0 ? 'down' : 'up',
    detail: [
      `In ${countOf(days, 'day')}: ${words}.`,
      `Median: ${median ?? 'unknown'}.`,
      `Prices of the same machines (like for like): ${prices}. Mix of machines: ${mix}.`,
    ].join('\n'),
  };
}
