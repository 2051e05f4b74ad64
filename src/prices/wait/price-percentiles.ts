import { countBelow } from '../../core/count-below.ts';
import type { Turns } from '../../core/turns.ts';

const dayMs = 86_400_000;
/** Days before a book that its price is compared with. */
export const percentileDays = 7;

/**
 * Returns the percentile of each price among those of the 7 days before its book (both ends excluded), counting equal
 * ones half, 0 to 100; NaN: it is unknown, or no price came before. Source: docs/meaning.md#wait-or-rent.
 */
export async function findPercentiles(
  times: Float64Array,
  prices: Float64Array,
  turns: Turns,
): Promise<Float64Array> {
  const sorted = prices.filter((price) => !Number.isNaN(price)).sort();
  const window = createRankCounts(sorted.length);
  const percentiles = new Float64Array(times.length).fill(Number.NaN);
  const rankOf = (at: number): number => countBelow(sorted, prices[at] as number);
  const add = (at: number, amount: number): void => {
    if (!Number.isNaN(prices[at])) window.add(rankOf(at), amount);
  };
  let start = 0;
  await turns.over(times.length, (from, to) => {
    for (let at = from; at < to; at += 1) {
      for (; (times[start] as number) <= (times[at] as number) - percentileDays * dayMs; start += 1)
        add(start, -1);
      if (!Number.isNaN(prices[at]) && window.all() > 0) {
        const rank = rankOf(at);
        const below = window.below(rank);
        const equal = window.below(rank + 1) - below;
        percentiles[at] = (100 * (below + equal / 2)) / window.all();
      }
      add(at, 1);
    }
  });
  return percentiles;
}

/** Counts the prices of each rank in a Fenwick tree. */
function createRankCounts(size: number) {
  const tree = new Int32Array(size + 1);
  let all = 0;
  return {
    all: () => all,
    add: (rank: number, amount: number): void => {
      all += amount;
      for (let at = rank + 1; at <= size; at += at & -at) tree[at] = (tree[at] as number) + amount;
    },
    /** Returns the number of prices with a lower rank. */
    below: (rank: number): number => {
      let sum = 0;
      for (let at = rank; at > 0; at -= at & -at) sum += tree[at] as number;
      return sum;
    },
  };
}
