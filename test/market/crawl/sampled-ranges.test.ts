import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../prove/seeded-random.ts';
import { chooseRanges } from '../../../src/market/vast/crawl/sampled-ranges.ts';

/** Pages with that many rows each, whose ids are 1, 2, 3, … */
const pagesOf = (pages: number, rows: number) =>
  Array.from({ length: pages }, (_, page) => ({
    after: page === 0 ? undefined : page * rows,
    upTo: (page + 1) * rows,
    rows,
  }));
const rowsIn = (ranges: ReturnType<typeof chooseRanges>): number =>
  ranges === 'all' ? 0 : ranges.reduce((sum, { after = 0, upTo }) => sum + upTo - after, 0);

describe('the pages that are asked for again', () => {
  it.each([
    [500, 100, 5_000],
    [1_000, 10, 3_000],
    [6, 5_000, 5_000],
  ])('are, of %i pages of %i rows, %i rows: a tenth, at least 3,000', (pages, rows, expected) => {
    for (let seed = 0; seed < 20; seed += 1) {
      expect(rowsIn(chooseRanges(pagesOf(pages, rows), createRandom(seed)))).toBe(expected);
    }
  });

  it('are all pages if there are no more than the sample', () => {
    expect(chooseRanges(pagesOf(30, 100), Math.random)).toBe('all');
    expect(chooseRanges(pagesOf(1, 25_000), Math.random)).toBe('all');
  });

  it('ascend without touching, each equally likely', () => {
    const random = createRandom(7);
    const drawn = new Map<number, number>();
    for (let draw = 0; draw < 400; draw += 1) {
      const ranges = chooseRanges(pagesOf(40, 1_000), random);
      if (ranges === 'all') throw new Error('a sample was expected');
      for (const [index, { after = 0, upTo }] of ranges.entries()) {
        expect(after).toBeGreaterThan(ranges[index - 1]?.upTo ?? -1);
        for (let page = after / 1_000; page < upTo / 1_000; page += 1) {
          drawn.set(page, (drawn.get(page) ?? 0) + 1);
        }
      }
    }
    // 4 of 40 pages a draw: 40 times each, with a standard deviation of 6.
    expect(drawn.size).toBe(40);
    expect(Math.min(...drawn.values())).toBeGreaterThan(15);
    expect(Math.max(...drawn.values())).toBeLessThan(65);
  });
});
