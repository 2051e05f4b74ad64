import { metricLabel } from '../../core/metrics.ts';
import { sentenceCase } from '../../core/sentence-case.ts';
import type { DealColumn } from './deal-columns.ts';
import type { DealSort } from './deal-sort.ts';

/** Returns what the order of ranked offers is: `Lowest price per GPU first`. */
export function orderWords(by: string, { name, order }: DealSort, columns: readonly DealColumn[]): string {
  const column = columns.find((each) => each.name === name);
  // "reliability" in a sentence, but "DLPerf".
  const label =
    column?.kind === 'price'
      ? metricLabel(name)
      : column?.label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
  if (name !== 'rank' && (column === undefined || column.kind === 'country' || column.kind === 'word')) {
    const what = label ?? (name === 'gpuName' ? 'GPU model' : name);
    return `Sorted by ${what}${order === 'desc' ? ', reversed' : ''}`;
  }
  const what = label ?? metricLabel(by);
  return `${sentenceCase(order === 'asc' ? 'lowest' : 'highest')} ${what} first`;
}
