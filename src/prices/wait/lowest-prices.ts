import type { Turns } from '../../core/turns.ts';
import type { SpanColumns } from '../statistics/span-columns.ts';
import { pickInTurns, rankInTurns } from './rank-in-turns.ts';

/** Returns the indexes of spans that could lower some of the prices of counted books; NaN: no price yet. */
export async function findCheaper(
  { length, value }: SpanColumns,
  lowest: Float64Array,
  counts: Int8Array,
  turns: Turns,
): Promise<Int32Array> {
  let highest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < counts.length; at += 1) {
    if (counts[at] !== 1) continue;
    const price = lowest[at] as number;
    highest = Number.isNaN(price) ? Number.POSITIVE_INFINITY : Math.max(highest, price);
    if (highest === Number.POSITIVE_INFINITY) break;
  }
  // Nothing compares below NaN.
  return await pickInTurns(length, (place) => (value[place] as number) < highest, turns);
}

/**
 * Lowers the lowest price of each counted book to that of the picked spans that hold it, except those that `isLeftOut`
 * excludes at that book. `lowest`: NaN: no price yet. `counts`: 1 for each book that counts.
 */
export async function lowerPrices(
  lowest: Float64Array,
  { spans, picked }: { spans: SpanColumns; picked: Int32Array },
  { counts, isLeftOut }: { counts: Int8Array; isLeftOut: (place: number, ordinal: number) => boolean },
  turns: Turns,
): Promise<void> {
  const { first, last, value } = spans;
  const open = createOpenBooks(counts);
  const order = await cheapestFirst(spans, picked, turns);
  // Cheapest first, so that a book with a price is never visited again.
  await turns.over(
    order.length,
    (from, to) => {
      for (let index = from; index < to; index += 1) {
        const place = order[index] as number;
        const [price, end] = [value[place] as number, last[place] as number];
        for (let at = open.from(first[place] as number); at <= end; at = open.from(at + 1)) {
          if (price < (lowest[at] as number) || Number.isNaN(lowest[at])) {
            if (isLeftOut(place, at)) continue;
            lowest[at] = price;
          }
          open.close(at);
        }
      }
    },
    spansAtOnce,
  );
}

/** A single span can hold every book of a year. */
const spansAtOnce = 64;

/** Returns the picked indexes by value. */
async function cheapestFirst(spans: SpanColumns, picked: Int32Array, turns: Turns): Promise<Int32Array> {
  const { sorted, rank: ranks } = await rankInTurns(spans, picked, turns);
  const starts = new Int32Array(sorted.length + 1);
  for (const rank of ranks) starts[rank + 1] = (starts[rank + 1] as number) + 1;
  for (let rank = 0; rank < sorted.length; rank += 1)
    starts[rank + 1] = (starts[rank + 1] as number) + (starts[rank] as number);
  const order = new Int32Array(picked.length);
  for (let index = 0; index < picked.length; index += 1) {
    const rank = ranks[index] as number;
    order[starts[rank] as number] = picked[index] as number;
    starts[rank] = (starts[rank] as number) + 1;
  }
  return order;
}

/** Tracks the books whose price may still fall. */
function createOpenBooks(counts: Int8Array) {
  const end = counts.length;
  const next = Int32Array.from({ length: end + 1 }, (_, at) => (at < end && counts[at] !== 1 ? at + 1 : at));
  /** Returns the first open book at or after `at`, or the number of books if none is. */
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
