import { formatTable } from '../../core/terminal/table.ts';
import type { PriceChange } from './index-change.ts';
import type { IndexAnswer } from './price-index.routes.ts';

/** Returns a table of changes up to the newest day: like-for-like ± standard error, median, mix. */
export function describePriceChanges({ series }: IndexAnswer): string {
  const rows = series.flatMap(({ key, changes }) =>
    changes.map((change) => [
      key,
      change.days === 1 ? '1 day' : `${change.days} days`,
      pricesWords(change),
      change.medianPercent === null ? '' : `${signed(change.medianPercent)}%`,
      change.mixPercent === null ? '' : `${signed(change.mixPercent)} points`,
      change.status,
      change.words,
    ]),
  );
  const head = [
    'Series',
    'Change over',
    'Prices like for like',
    'Median',
    'Mix of machines',
    'Status',
    'Meaning',
  ];
  return formatTable(head, rows, [2, 3, 4]);
}

/** Returns a like-for-like change as text: `-2.4 %`, `steady`, `+1.2 % ?` if it may be chance, or empty if unknown. */
export function changeWords({ percent, status }: Pick<PriceChange, 'percent' | 'status'>): string {
  if (percent === null || status === 'insufficient') return '';
  if (status === 'steady') return 'steady';
  return `${signed(percent)}%${status === 'unclear' ? ' ?' : ''}`;
}

/** Returns a sentence for each change up to the newest day: like-for-like prices, and the mix of machines. */
export const changeSentences = (changes: readonly PriceChange[]): string[] =>
  changes.map((change) => {
    const { days, mixPercent, status, words } = change;
    const span = days === 1 ? '1 day' : `${days} days`;
    if (status === 'insufficient') return `${span}: ${words}.`;
    const prices = status === 'steady' ? 'steady' : pricesWords(change);
    const doubt = status === 'unclear' ? ' (not certain)' : '';
    const mix = mixPercent === null ? '' : `; mix of machines ${signed(mixPercent)} points`;
    return `${span}: prices like for like ${prices}${doubt}${mix}.`;
  });

function pricesWords({ percent, stderrPercent }: PriceChange): string {
  if (percent === null) return '';
  return `${signed(percent)}%${stderrPercent === null ? '' : ` ± ${stderrPercent.toFixed(1)}`}`;
}

function signed(value: number): string {
  const text = value.toFixed(1);
  return Number(text) === 0 ? '0.0' : `${value > 0 ? '+' : ''}${text}`;
}
