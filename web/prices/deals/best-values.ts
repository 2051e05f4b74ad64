import type { DealColumn } from './deal-columns.ts';

/** Returns which of some offers' values are the best of their column; none if all are equal or no value is better. */
export function bestOf(
  { best }: Pick<DealColumn, 'best'>,
  values: readonly (number | null)[],
): readonly boolean[] {
  const known = values.filter((value) => value !== null);
  const top = best === 'high' ? Math.max(...known) : Math.min(...known);
  const isTold = best !== undefined && (known.length < values.length || known.some((value) => value !== top));
  return values.map((value) => isTold && value === top);
}
