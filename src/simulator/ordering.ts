import type { OfferTable } from './offer-table.ts';
import type { OrderKey } from './search-request.ts';

type Compare = (a: number, b: number) => number;

/**
 * Returns the first `count` rows in the requested order: unknown values last in either direction, ties by `id`, then by
 * place. Without an order by standing, best first; without standings as the table is.
 */
export function firstInOrder(
  table: OfferTable,
  rows: readonly number[],
  order: readonly OrderKey[],
  count: number,
): number[] {
  if (order.length > 0) return selectFirst(rows, compareBy(table, order), count);
  const standing = table.standing();
  if (standing === null) return rows.slice(0, count);
  return selectFirst(rows, (a, b) => (standing[b] ?? 0) - (standing[a] ?? 0) || a - b, count);
}

function compareBy(table: OfferTable, order: readonly OrderKey[]): Compare {
  const keys = [...order, { field: 'id' as const, descending: false }].map(({ field, descending }) => ({
    column: table.keys(field),
    ahead: descending ? 1 : -1,
  }));
  return (a, b) => {
    for (const { column, ahead } of keys) {
      const left = column[a] ?? null;
      const right = column[b] ?? null;
      if (left === right) continue;
      if (left === null) return 1;
      if (right === null) return -1;
      return left < right ? ahead : -ahead;
    }
    return a - b;
  };
}

/** Returns the first `count` by `compare`; for few of many without sorting the rest. */
function selectFirst(rows: readonly number[], compare: Compare, count: number): number[] {
  if (count * 8 > rows.length) return rows.toSorted(compare).slice(0, count);
  // A heap of the best rows so far with the worst on top: most rows fail one comparison with it.
  const heap = rows.slice(0, count).sort((a, b) => compare(b, a));
  for (let at = count; at < rows.length; at += 1) {
    const row = rows[at];
    const top = heap[0];
    if (row !== undefined && top !== undefined && compare(row, top) < 0) replaceTop(heap, row, compare);
  }
  return heap.sort(compare);
}

function replaceTop(heap: number[], row: number, compare: Compare): void {
  let at = 0;
  for (;;) {
    const left = heap[2 * at + 1];
    const right = heap[2 * at + 2];
    if (left === undefined) break;
    const goRight = right !== undefined && compare(right, left) > 0;
    const child = goRight ? right : left;
    if (compare(child, row) <= 0) break;
    heap[at] = child;
    at = 2 * at + (goRight ? 2 : 1);
  }
  heap[at] = row;
}
