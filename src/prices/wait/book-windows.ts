import { percentileCont } from '../../core/percentile.ts';

/** Complete books in time order, as used for chances. */
export interface BookWindows {
  /** Milliseconds. */
  times: Float64Array;
  /**
   * The index of the last book in [t, t + H] of each book t; −1: the book does not count, because the history does not
   * reach t + H or has a gap of more than 3 hours.
   */
  ends: Int32Array;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const maxGapMs = 3 * hourMs;
/** Days of history before the newest book. */
export const historyDays = 365;

/** Returns the windows of `hours` after each book of the last 365 days. Source: docs/meaning.md#wait-or-rent. */
export function findWindows(times: Float64Array, hours: number): BookWindows {
  const ends = new Int32Array(times.length).fill(-1);
  const since = (times.at(-1) ?? 0) - historyDays * dayMs;
  const gapsBefore = new Int32Array(times.length);
  for (let at = 1; at < times.length; at += 1) {
    const gap = (times[at] as number) - (times[at - 1] as number);
    gapsBefore[at] = (gapsBefore[at - 1] as number) + (gap > maxGapMs ? 1 : 0);
  }
  // `after` is the first book at or after the end of the window.
  let after = 0;
  for (let at = 0; at < times.length; at += 1) {
    const until = (times[at] as number) + hours * hourMs;
    while (after < times.length && (times[after] as number) < until) after += 1;
    if (after === times.length) break;
    const last = times[after] === until ? after : after - 1;
    const isWatched = gapsBefore[after] === gapsBefore[at];
    if ((times[at] as number) > since && isWatched) ends[at] = last;
  }
  return { times, ends };
}

/** How often prices were read. */
export interface ReadingPace {
  /** Since then no two complete books were more than 3 hours apart; null: no book. */
  closeSince: Date | null;
  /** Median hours of the gaps before that were longer; null: none. */
  gapHoursBefore: number | null;
}

/** Returns since when books are close enough to count, and how long the gaps before were. */
export function findPace(times: Float64Array): ReadingPace {
  const gaps = times.slice(1).map((time, at) => time - (times[at] as number));
  const widest = gaps.findLastIndex((gap) => gap > maxGapMs);
  const since = times[widest + 1];
  const gapMs = percentileCont(gaps.filter((gap) => gap > maxGapMs).sort(), 0.5);
  return {
    closeSince: since === undefined ? null : new Date(since),
    gapHoursBefore: gapMs === null ? null : gapMs / hourMs,
  };
}

/** Returns how many ascending indexes can be chosen, oldest first, whose books are at least `hours` apart. */
export function countApart(times: Float64Array, places: Iterable<number>, hours: number): number {
  let [count, next] = [0, Number.NEGATIVE_INFINITY];
  for (const place of places) {
    const at = times[place] as number;
    if (at < next) continue;
    count += 1;
    next = at + hours * hourMs;
  }
  return count;
}
