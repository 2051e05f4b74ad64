export const buckets = ['book', '1h', '1d', '1w'] as const;
/** The interval of a trend: single books, or UTC hours, days and weeks that start on Monday. */
export type Bucket = (typeof buckets)[number];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
/** 1970-01-05, the first Monday of Unix time. */
const firstMondayMs = 4 * dayMs;

const grid: Record<Exclude<Bucket, 'book'>, { lengthMs: number; originMs: number }> = {
  '1h': { lengthMs: hourMs, originMs: 0 },
  '1d': { lengthMs: dayMs, originMs: 0 },
  '1w': { lengthMs: weekMs, originMs: firstMondayMs },
};

/** How many books of a series are in a range, and the moments of the first and the last. */
export interface BookExtent {
  books: number;
  /** null: no book. */
  first: Date | null;
  last: Date | null;
}

/** Returns the interval that suits some books: at most a few hundred points, and never finer than the data. */
export function chooseBucket({ books, first, last }: BookExtent): Bucket {
  if (books <= 400 || first === null || last === null) return 'book';
  const spanMs = last.getTime() - first.getTime();
  if (spanMs <= 17 * dayMs) return '1h';
  return spanMs <= 2 * 366 * dayMs ? '1d' : '1w';
}

/** Returns how many buckets the books can fall into. */
export function bucketsWithin(bucket: Bucket, { books, first, last }: BookExtent): number {
  if (bucket === 'book') return books;
  if (first === null || last === null) return 0;
  const spanMs = bucketStart(bucket, last).getTime() - bucketStart(bucket, first).getTime();
  return spanMs / grid[bucket].lengthMs + 1;
}

/** Returns how many buckets a range of whole buckets has. */
export const countBuckets = (
  bucket: Exclude<Bucket, 'book'>,
  { from, to }: { from: Date; to: Date },
): number => (to.getTime() - from.getTime()) / grid[bucket].lengthMs;

/** Returns the start of the bucket that contains a moment; for the interval `book` the moment itself. */
export function bucketStart(bucket: Bucket, at: Date): Date {
  if (bucket === 'book') return at;
  const { lengthMs, originMs } = grid[bucket];
  return new Date(Math.floor((at.getTime() - originMs) / lengthMs) * lengthMs + originMs);
}

/**
 * Widens a range to whole buckets, so that a point's values never depend on the requested range. `from` is inclusive,
 * `to` exclusive.
 */
export function wholeBuckets(bucket: Bucket, range: { from: Date; to: Date }): { from: Date; to: Date } {
  if (bucket === 'book') return range;
  const to = bucketStart(bucket, range.to);
  const whole = to.getTime() === range.to.getTime();
  return {
    from: bucketStart(bucket, range.from),
    to: whole ? to : new Date(to.getTime() + grid[bucket].lengthMs),
  };
}
