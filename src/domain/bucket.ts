export const buckets = ['book', '1h', '1d', '1w'] as const;
/** The grain of a trend: single books, or UTC hours, days and weeks from Monday. */
export type Bucket = (typeof buckets)[number];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The grain that shows a range best: at most a few hundred points, never finer than the data needs. */
export function chooseBucket(from: Date, to: Date, books: number): Bucket {
  const span = to.getTime() - from.getTime();
  if (books <= 400) return 'book';
  if (span <= 17 * dayMs) return '1h';
  return span <= 2 * 366 * dayMs ? '1d' : '1w';
}
