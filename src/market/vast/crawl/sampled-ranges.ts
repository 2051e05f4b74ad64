import type { IdRange } from './page-walk.ts';

/** Of the pages; and rows, so that small shares of hidden ones show. */
const least = { share: 0.1, rows: 3_000 };

/**
 * Draws the pages that are asked for again: at least a tenth of them, and as many as hold 3,000 rows; neighbours
 * are joined, ids ascend. `all` where that takes every page. The tail after the last offer is not among them: the
 * walk that found the end has asked for it twice.
 */
export function chooseRanges(
  pages: readonly (IdRange & { rows: number })[],
  random: () => number,
): IdRange[] | 'all' {
  const rest = [...pages];
  let rows = 0;
  let count = 0;
  while (count < pages.length * least.share || rows < least.rows) {
    // The first so many of a shuffle, of which no more is made than is needed.
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
