import { headOf } from './column-heads.ts';

/** Matches names of columns in US dollars. */
const dollars = /usd/i;
/** Columns whose values are shares from 0 to 1. */
const shares: readonly string[] = ['reliability', 'discountRate'];
/** Columns whose unit stands in each row. */
const rowUnits: readonly string[] = ['value', 'quantity', 'min', 'p10', 'p25', 'median', 'p75', 'p90', 'max'];

/** Whether a column is in US dollars, by its name. */
export const isDollars = (name: string): boolean => dollars.test(name);

/** Whether a column's values are shares from 0 to 1, by its name. */
export const isShare = (name: string): boolean => shares.includes(name);

/** Returns the unit of a column in words, from its name in the API and its head; empty: it has none. */
export function unitOf(name: string): string {
  const head = headOf(name);
  if (isDollars(name)) return `US dollars${/USD(?<rest> per .*)$/.exec(head)?.groups?.rest ?? ''}`;
  if (isShare(name)) return 'share from 0 to 1, shown in percent';
  if (rowUnits.includes(name)) return 'in the column of units';
  if (name === 'lowestInDays') return 'days';
  if (/^percentile\d/.test(name)) return '0 (cheapest) to 100';
  return /, (?<unit>[^,]+)$/.exec(head)?.groups?.unit ?? '';
}
