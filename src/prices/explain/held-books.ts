import { countBelow } from '../../core/count-below.ts';
import { percentileCont } from '../../core/percentile.ts';
import type { HeldRow } from './held-rows.sql.ts';
import { plainPrice } from './plain-price.ts';

/** The books that held a row, as indexes of ascending moments: from `first` to before `end`. */
export interface HeldBooks {
  first: number;
  end: number;
}

/** Creates `booksOf(row)` for the moments of books, ascending milliseconds. */
export function createHeldBooks(times: readonly number[]): (row: HeldRow) => HeldBooks {
  return ({ since, lastAt, before }) => {
    const first = countBelow(times, since.getTime());
    const upToLast = lastAt === null ? times.length : countBelow(times, lastAt.getTime() + 1);
    const end = Math.min(upToLast, before === null ? times.length : countBelow(times, before.getTime()));
    return { first, end: Math.max(first, end) };
  };
}

/** Creates percentiles of values that each count several times. */
export function createWeighted(rows: readonly { value: number; times: number }[]) {
  const sorted = rows.filter(({ times }) => times > 0).sort((a, b) => a.value - b.value);
  const ends: number[] = [];
  for (const { times } of sorted) ends.push((ends.at(-1) ?? 0) + times);
  const count = ends.at(-1) ?? 0;
  const at = (place: number): number => sorted[ends.findIndex((end) => end > place)]?.value ?? Number.NaN;
  return {
    count,
    min: sorted[0]?.value ?? null,
    max: sorted.at(-1)?.value ?? null,
    /** Interpolates linearly between the two nearest values; null: there are none. */
    percentile: (share: number): number | null => {
      if (count === 0) return null;
      const place = share * (count - 1);
      return percentileCont([at(Math.floor(place)), at(Math.ceil(place))], place - Math.floor(place));
    },
  };
}

/** Returns prices per GPU in the books at `times`, each once per book; at 8 GB of storage by default. */
export function poolHeld(rows: readonly HeldRow[], times: readonly number[], storageGb?: number) {
  const booksOf = createHeldBooks(times);
  const pool = rows.flatMap((row) => {
    const { first, end } = booksOf(row);
    const value = plainPrice(row, storageGb);
    return Number.isNaN(value) ? [] : [{ value, times: end - first }];
  });
  return createWeighted(pool);
}
