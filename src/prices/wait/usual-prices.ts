import type { BookMoments } from '../spans/book-moments.sql.ts';
import { pickBy, type SpanColumns } from '../statistics/span-columns.ts';
import { outlierDays } from '../verdicts/segment-medians.ts';
import { slidingMedians } from './sliding-medians.ts';

/** More than there are ids of tiers. */
const maxTiers = 32_768;
const dayMs = 86_400_000;

/**
 * Makes `usualAt(gpuModelId, verificationTierId, ordinal)`: the segment's median over the 30 days that end with the book, as the
 * test for outliers has it then; NaN: there is none. `listed`: all offers of the models, with prices per GPU at 8 GB.
 */
export function createUsualPrices(
  listed: SpanColumns,
  books: BookMoments,
): (gpuModelId: number, verificationTierId: number, ordinal: number) => number {
  const keyOf = (gpuModelId: number, tierId: number): number => gpuModelId * maxTiers + tierId + 1;
  const segments = pickBy(listed, (place) =>
    keyOf(listed.gpuModelId[place] as number, listed.verificationTierId[place] as number),
  );
  const windowStarts = startsOf(books.times);
  const known = new Map<number, Float64Array>();
  return (gpuModelId, tierId, ordinal) => {
    const key = keyOf(gpuModelId, tierId);
    let medians = known.get(key);
    if (medians === undefined) {
      const picked = segments.get(key) ?? new Int32Array(0);
      medians = slidingMedians(listed, picked, books.coverOf(gpuModelId), windowStarts);
      known.set(key, medians);
    }
    return medians[ordinal] as number;
  };
}

/** The first book of the 30 days that end with each book, which are open at their beginning. */
function startsOf(times: readonly Date[]): Int32Array {
  let start = 0;
  return Int32Array.from(times, (at) => {
    while ((times[start] as Date).getTime() <= at.getTime() - outlierDays * dayMs) start += 1;
    return start;
  });
}
