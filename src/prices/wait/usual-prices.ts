import type { Turns } from '../../core/turns.ts';
import type { BookMoments } from '../spans/book-moments.sql.ts';
import type { SpanColumns } from '../statistics/span-columns.ts';
import { outlierDays } from '../verdicts/segment-medians.ts';
import { pickInTurns } from './rank-in-turns.ts';
import { slidingMedians } from './sliding-medians.ts';

const dayMs = 86_400_000;

/**
 * Returns the medians of a model's segments at each book, by tier id, each over the 30 days that end with the book, as
 * its outlier test uses them; NaN: none. `listed`: all offers of the model, with prices per GPU at 8 GB.
 */
export async function readUsualPrices(
  listed: SpanColumns,
  { gpuModelId, tierIds }: { gpuModelId: number; tierIds: ReadonlySet<number> },
  books: BookMoments,
  turns: Turns,
): Promise<Map<number, Float64Array>> {
  const windows = { covered: books.coverOf(gpuModelId), windowStarts: startsOf(books.times) };
  const medians = new Map<number, Float64Array>();
  for (const tierId of tierIds) {
    const picked = await pickInTurns(
      listed.length,
      (place) => listed.verificationTierId[place] === tierId,
      turns,
    );
    medians.set(tierId, await slidingMedians(listed, picked, windows, turns));
  }
  return medians;
}

/** Returns the first book of the 30 days (beginning excluded) that end with each book. */
function startsOf(times: readonly Date[]): Int32Array {
  let start = 0;
  return Int32Array.from(times, (at) => {
    while ((times[start] as Date).getTime() <= at.getTime() - outlierDays * dayMs) start += 1;
    return start;
  });
}
