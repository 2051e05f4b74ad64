/** Complete books in the order of time, as far as chances look at them. */
export interface BookWindows {
  /** Milliseconds. */
  times: Float64Array;
  /**
   * The last book of [t, t + H] of each book t of the history, by its place; −1: the book does not count, because the history does
   * not reach to t + H, or books were more than 3 hours apart meanwhile.
   */
  ends: Int32Array;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const maxGapMs = 3 * hourMs;
/** How far back history is looked at from the newest book. */
export const historyDays = 365;

/** The windows of `hours` after each book of the last 365 days. Source: docs/meaning.md#wait-or-rent. */
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

/** How many of ascending places can be chosen, the oldest first, whose books are `hours` apart or more. */
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
