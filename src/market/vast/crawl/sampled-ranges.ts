import { offersToAgree } from '../../../core/completeness.ts';
import type { IdRange } from './page-walk.ts';

const leastShare = 0.1;

/**
 * Draws the pages to read again: at least a tenth of them, and enough rows to tell a small missing share; neighbors are joined, ids ascend.
 * `all` if that takes every page. Excludes the tail after the last offer, which the walk that found the end has
 * requested twice.
 */
export function chooseRanges(
  pages: readonly (IdRange & { rows: number })[],
  random: () => number,
): IdRange[] | 'all' {
  const rest = [...pages];
  let rows = 0;
  let count = 0;
  while (count < pages.length * leastShare || rows < offersToAgree) {
    // Draws the first `count` of a shuffle, shuffling only that many.
    const from = count + Math.floor(random() * (rest.length - count));
    const [here, there] = [rest[count], rest[from]];
    if (here === undefined || there === undefined) return 'all';
    rest[count] = there;
    rest[from] = here;
    rows += there.rows;
    count += 1;
  }
  return count === pages.length ? 'all' : join(rest.slice(0, count));
}

function join(ranges: readonly IdRange[]): IdRange[] {
  const joined: IdRange[] = [];
  for (const { after, upTo } of ranges.toSorted((a, b) => a.upTo - b.upTo)) {
    const before = joined.at(-1);
    if (before !== undefined && before.upTo === after) before.upTo = upTo;
    else joined.push({ after, upTo });
  }
  return joined;
}
