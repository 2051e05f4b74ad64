import { type Bucket, bucketStart } from '../../core/bucket.ts';

/** For books in time order, the number of covering ones before each ordinal: n + 1 entries. */
export type CoveredBefore = Int32Array;

/** Returns the counts of `covers` before each ordinal. */
export function coveredBefore(covers: ArrayLike<boolean | number>): CoveredBefore {
  const before = new Int32Array(covers.length + 1);
  for (let at = 0; at < covers.length; at += 1) before[at + 1] = (before[at] ?? 0) + (covers[at] ? 1 : 0);
  return before;
}

/** Buckets over ordinals: bucket k holds `from[k]` to before `to[k]`; ascending, disjoint, gaps allowed. */
export interface Buckets {
  from: Int32Array;
  to: Int32Array;
  /** The first bucket that ends after the ordinal, or the number of buckets if none does. */
  next: Int32Array;
}

/** Returns the buckets of `ranges` over `ordinals` books. */
export function bucketsOf(ranges: readonly { from: number; to: number }[], ordinals: number): Buckets {
  const from = Int32Array.from(ranges, (range) => range.from);
  const to = Int32Array.from(ranges, (range) => range.to);
  const next = new Int32Array(ordinals + 1);
  let bucket = 0;
  for (let at = 0; at <= ordinals; at += 1) {
    while (bucket < to.length && (to[bucket] as number) <= at) bucket += 1;
    next[at] = bucket;
  }
  return { from, to, next };
}

/** Non-empty buckets: the ordinals and start of each. */
export interface BookBuckets {
  ranges: { from: number; to: number }[];
  times: Date[];
}

/** Returns the buckets of books in time order, without books outside a range; with `book`, one bucket per book. */
export function bucketsOfBooks(
  moments: readonly Date[],
  bucket: Bucket,
  within: { from: Date; to: Date } | null = null,
): BookBuckets {
  const ranges: BookBuckets['ranges'] = [];
  const times: Date[] = [];
  moments.forEach((at, ordinal) => {
    if (within !== null && (at < within.from || at >= within.to)) return;
    const start = bucketStart(bucket, at);
    const last = ranges.at(-1);
    if (bucket !== 'book' && last !== undefined && times.at(-1)?.getTime() === start.getTime()) {
      last.to = ordinal + 1;
      return;
    }
    ranges.push({ from: ordinal, to: ordinal + 1 });
    times.push(start);
  });
  return { ranges, times };
}

/** Sums per bucket of amounts that hold from one book to another, once per covered book. */
export interface BucketSums {
  /** `amount` holds from ordinal `first` to `last`, both inclusive. */
  add: (first: number, last: number, amount: number) => void;
  totals: () => Float64Array;
}

/** Creates empty sums. Whole buckets in the middle of a span cost nothing. */
export function createBucketSums(buckets: Buckets, covered: CoveredBefore): BucketSums {
  const { from, to, next } = buckets;
  const count = from.length;
  const edges = new Float64Array(count);
  const middle = new Float64Array(count + 1);
  const weight = (bucket: number, first: number, last: number): number => {
    const begin = Math.max(first, from[bucket] as number);
    const end = Math.min(last + 1, to[bucket] as number);
    return end > begin ? (covered[end] as number) - (covered[begin] as number) : 0;
  };
  return {
    add: (first, last, amount) => {
      const begin = next[first] as number;
      if (begin >= count || (from[begin] as number) > last) return;
      let end = next[last] as number;
      if (end >= count || (from[end] as number) > last) end -= 1;
      edges[begin] = (edges[begin] as number) + amount * weight(begin, first, last);
      if (end === begin) return;
      edges[end] = (edges[end] as number) + amount * weight(end, first, last);
      middle[begin + 1] = (middle[begin + 1] as number) + amount;
      middle[end] = (middle[end] as number) - amount;
    },
    totals: () => {
      const sums = new Float64Array(count);
      let held = 0;
      for (let bucket = 0; bucket < count; bucket += 1) {
        held += middle[bucket] as number;
        const books = (covered[to[bucket] as number] as number) - (covered[from[bucket] as number] as number);
        sums[bucket] = (edges[bucket] as number) + held * books;
      }
      return sums;
    },
  };
}
