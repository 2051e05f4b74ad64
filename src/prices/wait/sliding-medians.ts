import type { Turns } from '../../core/turns.ts';
import type { CoveredBefore } from '../statistics/book-axis.ts';
import type { Picked, SpanColumns } from '../statistics/span-columns.ts';
import { rankInTurns } from './rank-in-turns.ts';

/** Each book processes the spans that begin and end with it. */
const booksAtOnce = 256;

/**
 * Returns the median at each book of the prices in a window that ends with it: each span's price counts once for each
 * covered book of the window that it holds. Interpolated like percentile_cont; NaN: the window has no price.
 * `windowStarts`: the ordinal at which each book's window begins, never falling.
 */
export async function slidingMedians(
  spans: SpanColumns,
  picked: Picked,
  { covered, windowStarts }: { covered: CoveredBefore; windowStarts: Int32Array },
  turns: Turns,
): Promise<Float64Array> {
  const { sorted, rank } = await rankInTurns(spans, picked, turns);
  const tree = createLinearTree(sorted.length);
  const { begins, ends } = orderOf(spans, picked, windowStarts.length);
  const first = (index: number): number => spans.first[picked[index] as number] as number;
  const after = (index: number): number => (spans.last[picked[index] as number] as number) + 1;
  const before = (ordinal: number): number => covered[ordinal] as number;

  // Until it ends, a span holds `covered before k` minus `covered before it` of the books before ordinal k.
  const sides = [1, -1].map((sign) => ({ sign, begun: 0, ended: 0 }));
  const advance = (side: { sign: number; begun: number; ended: number }, upTo: number): void => {
    const { sign } = side;
    for (; side.begun < begins.length && first(begins[side.begun] as number) < upTo; side.begun += 1) {
      const index = begins[side.begun] as number;
      tree.add(rank[index] as number, sign, sign, -sign * before(first(index)));
    }
    for (; side.ended < ends.length && after(ends[side.ended] as number) < upTo; side.ended += 1) {
      const index = ends[side.ended] as number;
      tree.add(rank[index] as number, sign, -sign, sign * before(after(index)));
    }
  };

  const medians = new Float64Array(windowStarts.length);
  const [newest, oldest] = sides as [(typeof sides)[0], (typeof sides)[0]];
  await turns.over(
    windowStarts.length,
    (from, to) => {
      for (let ordinal = from; ordinal < to; ordinal += 1) {
        const start = windowStarts[ordinal] as number;
        advance(newest, ordinal + 1);
        advance(oldest, start);
        tree.setClocks(before(ordinal + 1), before(start));
        medians[ordinal] = medianOf(tree, sorted);
      }
    },
    booksAtOnce,
  );
  return medians;
}

function medianOf(tree: LinearTree, sorted: Float64Array): number {
  const count = tree.total();
  if (count <= 0) return Number.NaN;
  const exact = 0.5 * (count - 1);
  const low = Math.floor(exact);
  const lower = sorted[tree.find(low)] as number;
  if (exact === low) return lower;
  return lower + (exact - low) * ((sorted[tree.find(low + 1)] as number) - lower);
}

/** Returns indexes of the picked spans with a price, by their first and by their last book. */
function orderOf({ first, last, value }: SpanColumns, picked: Picked, books: number) {
  const by = (column: Int32Array): Int32Array => {
    const starts = new Int32Array(books + 1);
    const each = (take: (index: number, ordinal: number) => void): void => {
      for (let index = 0; index < picked.length; index += 1) {
        const place = picked[index] as number;
        if (!Number.isNaN(value[place])) take(index, column[place] as number);
      }
    };
    each((_, ordinal) => {
      starts[ordinal + 1] = (starts[ordinal + 1] as number) + 1;
    });
    for (let at = 0; at < books; at += 1)
      starts[at + 1] = (starts[at + 1] as number) + (starts[at] as number);
    const order = new Int32Array(starts[books] as number);
    each((index, ordinal) => {
      const slot = starts[ordinal] as number;
      order[slot] = index;
      starts[ordinal] = slot + 1;
    });
    return order;
  };
  return { begins: by(first), ends: by(last) };
}

interface LinearTree {
  /** Adds at a rank `constant`, and `slope` per step of the newer clock (`sign` 1) or the older one (−1). */
  add: (rank: number, sign: number, slope: number, constant: number) => void;
  /** Sets both clocks: the number of covered books before either end of the window. */
  setClocks: (newer: number, older: number) => void;
  total: () => number;
  /** Returns the rank at a position, from 0, of the sorted multiset. */
  find: (place: number) => number;
}

/** A Fenwick tree of counts that grow with two clocks. */
function createLinearTree(size: number): LinearTree {
  const [ofNewer, ofOlder, constants] = [0, 1, 2].map(() => new Float64Array(size + 1)) as [
    ...[Float64Array, Float64Array, Float64Array],
  ];
  const top = size === 0 ? 0 : 1 << (31 - Math.clz32(size));
  const sums = { newer: 0, older: 0, constant: 0 };
  let [newer, older] = [0, 0];
  const add = (column: Float64Array, at: number, amount: number): void => {
    column[at] = (column[at] as number) + amount;
  };
  return {
    add: (rank, sign, slope, constant) => {
      const slopes = sign > 0 ? ofNewer : ofOlder;
      for (let at = rank + 1; at <= size; at += at & -at) {
        add(slopes, at, slope);
        add(constants, at, constant);
      }
      sums[sign > 0 ? 'newer' : 'older'] += slope;
      sums.constant += constant;
    },
    setClocks: (now, then) => {
      newer = now;
      older = then;
    },
    total: () => sums.newer * newer + sums.older * older + sums.constant,
    find: (place) => {
      let [found, below] = [0, place];
      for (let step = top; step > 0; step >>= 1) {
        const tried = found + step;
        if (tried > size) continue;
        const count =
          (ofNewer[tried] as number) * newer +
          (ofOlder[tried] as number) * older +
          (constants[tried] as number);
        if (count <= below) {
          found = tried;
          below -= count;
        }
      }
      return Math.min(found, size - 1);
    },
  };
}
