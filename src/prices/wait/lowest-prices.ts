import type { SpanColumns } from '../statistics/span-columns.ts';

/**
 * The lowest value at each book among the spans that hold it, those that `isLeftOut` names at that book left out; NaN: there
 * is none, or the book does not count. `counts`: 1 for each book that counts.
 */
export function lowestPrices(
  spans: SpanColumns,
  counts: Int8Array,
  isLeftOut: (place: number, ordinal: number) => boolean,
): Float64Array {
  const lowest = new Float64Array(counts.length).fill(Number.NaN);
  const open = createOpenBooks(counts);
  const { first, last, value, length } = spans;
  const places = Int32Array.from({ length }, (_, place) => place)
    .filter((place) => !Number.isNaN(value[place]))
    .sort((a, b) => (value[a] as number) - (value[b] as number));
  // The cheapest first: a book that has its price is never looked at again.
  for (const place of places) {
    const end = last[place] as number;
    for (let at = open.from(first[place] as number); at <= end; at = open.from(at + 1)) {
      if (isLeftOut(place, at)) continue;
      lowest[at] = value[place] as number;
      open.close(at);
    }
  }
  return lowest;
}

/** Books that have no price yet. */
function createOpenBooks(counts: Int8Array) {
  const end = counts.length;
  const next = Int32Array.from({ length: end + 1 }, (_, at) => (at < end && counts[at] !== 1 ? at + 1 : at));
  /** The first open book at or after `at`; the number of books: none. */
  const from = (at: number): number => {
    let found = at;
    while (next[found] !== found) found = next[found] as number;
    for (let step = at; step !== found; ) {
      const following = next[step] as number;
      next[step] = found;
      step = following;
    }
    return found;
  };
  return {
    from: (at: number): number => from(Math.min(at, end)),
    close: (at: number): void => {
      next[at] = at + 1;
    },
  };
}
