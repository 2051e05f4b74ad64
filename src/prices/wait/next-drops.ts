import type { Turns } from '../../core/turns.ts';

/** Price drops by which waiting is judged, in percent. */
export const dropPercents = [5, 10, 20] as const;
/** Maximum wait, in hours. */
export const maxWaitHours = 168;
const maxWaitMs = maxWaitHours * 3_600_000;

/**
 * Returns, for each of `dropPercents` and each book, the index of the first later book with a price lower by as much,
 * at most `maxWaitHours` later; -1: none. Valid for every shorter wait, so that one read serves all.
 */
export async function findNextDrops(
  times: Float64Array,
  prices: Float64Array,
  turns: Turns,
): Promise<Int32Array[]> {
  const search = createDropSearch(prices);
  const found: Int32Array[] = [];
  for (const percent of dropPercents) {
    const share = 1 - percent / 100;
    const places = new Int32Array(times.length).fill(-1);
    let end = 0;
    await turns.over(
      times.length,
      (from, to) => {
        for (let at = from; at < to; at += 1) {
          const until = (times[at] as number) + maxWaitMs;
          while (end + 1 < times.length && (times[end + 1] as number) <= until) end += 1;
          if (!Number.isNaN(prices[at])) places[at] = search(at + 1, end, share * (prices[at] as number));
        }
      },
      searchesAtOnce,
    );
    found.push(places);
  }
  return found;
}

/** Each search may pass over a week of books. */
const searchesAtOnce = 1_024;
/** Books skipped at once if none is cheap enough. */
const blockBooks = 32;

/** Returns the index of the first price between two books that is not above a limit; -1: none. */
function createDropSearch(prices: Float64Array): (from: number, end: number, limit: number) => number {
  const lows = new Float64Array(Math.ceil(prices.length / blockBooks)).fill(Number.POSITIVE_INFINITY);
  for (let at = 0; at < prices.length; at += 1) {
    const block = Math.floor(at / blockBooks);
    if ((prices[at] as number) < (lows[block] as number)) lows[block] = prices[at] as number;
  }
  return (from, end, limit) => {
    for (let at = from; at <= end; ) {
      if (at % blockBooks === 0 && (lows[at / blockBooks] as number) > limit) {
        at += blockBooks;
        continue;
      }
      if ((prices[at] as number) <= limit) return at;
      at += 1;
    }
    return -1;
  };
}
