import { describe, expect, it } from 'vitest';
import {
  advanceWalk,
  type BillingWalk,
  findDoubt,
  repeatsPages,
  rowsPerPart,
  startWalk,
  type WalkedPage,
} from '../../src/spend/bills/bill-walk.ts';

const start = (round: 1 | 2 = 1, digestBefore: string | null = null): BillingWalk =>
  startWalk(
    { from: null, to: null },
    { round, afterPage: 0, capacity: 0, rowsBefore: 0, failedParts: 0, digestBefore },
  );

let pages = 0;
const page = (more: Partial<WalkedPage> = {}): WalkedPage => {
  pages += 1;
  return {
    ...{ rows: 10, total: 20, nextToken: null, digest: `page ${pages}`, digestAfter: `after ${pages}` },
    ...{ miscounted: false, strays: false, ...more },
  };
};
const walk = (from: BillingWalk, ...taken: WalkedPage[]): BillingWalk => taken.reduce(advanceWalk, from);

describe('a walk over pages', () => {
  it('continues with each token until the last page', () => {
    const first = walk(start(), page({ nextToken: 'a' }));
    expect(first).toMatchObject({ pages: 1, rows: 10, token: 'a', ended: false, firstTotal: 20 });
    expect(walk(first, page())).toMatchObject({ pages: 2, rows: 20, token: null, ended: true, moved: null });
  });

  it.each([
    ['a total that went up', page({ total: 21 }), /from 20 to 21/],
    ['a total that went down', page({ total: 19 }), /from 20 to 19/],
    ['a total no longer said', page({ total: null }), /from 20 to unknown/],
    ['a count that is wrong', page({ miscounted: true }), /count differs/],
  ])('notices %s', (_, next, reason) => {
    const moved = walk(start(), page({ nextToken: 'a' }), next);
    expect(moved.moved).toMatch(reason);
    expect(findDoubt(moved, 0)).toMatch(reason);
  });

  it('accepts rows outside the range except in parts', () => {
    const strays = page({ strays: true, total: 10 });
    expect(findDoubt(walk(start(2), strays), 0)).toMatch(/outside/);
    expect(findDoubt(walk(start(1), strays), 0)).toBeNull();
  });

  it('detects a loop when a token repeats, however long the loop is', () => {
    for (const length of [1, 2, 3, 5, 8]) {
      let here = start();
      let steps = 0;
      for (; steps < 100; steps += 1) {
        const next = advanceWalk(here, page({ nextToken: `token ${steps % length}` }));
        if (repeatsPages(here, next)) break;
        here = next;
      }
      expect(steps).toBeLessThan(4 * length + 4);
    }
  });

  it('sees no loop while every token is new', () => {
    let here = start();
    for (let step = 0; step < 100; step += 1) {
      const next = advanceWalk(here, page({ nextToken: `token ${step}` }));
      expect(repeatsPages(here, next)).toBe(false);
      here = next;
    }
  });

  it('detects a loop when the same page comes a third time with new tokens', () => {
    const once = walk(start(), page({ nextToken: 'a', digest: 'same' }));
    const twice = walk(once, page({ nextToken: 'b', digest: 'same' }));
    expect(repeatsPages(once, twice)).toBe(false);
    expect(repeatsPages(twice, walk(twice, page({ nextToken: 'c', digest: 'same' })))).toBe(true);
  });
});

describe('the result of a walk', () => {
  it.each<[string, BillingWalk, number, RegExp | null]>([
    ['one page that is all', walk(start(), page({ total: 10 })), 0, null],
    ['one page where nothing says how many there are', walk(start(), page({ total: null })), 0, null],
    [
      'one page of fewer than there are',
      walk(start(), page({ total: 11 })),
      0,
      /says 11 entries and gave 10/,
    ],
    ['pages that add up', walk(start(), page({ nextToken: 'a' }), page()), 0, null],
    [
      'pages with an entry on two',
      walk(start(), page({ nextToken: 'a' }), page()),
      1,
      /on more than one page/,
    ],
    [
      'pages that do not add up',
      walk(start(), page({ nextToken: 'a' }), page({ rows: 9 })),
      0,
      /says 20 entries and gave 19/,
    ],
    [
      'pages where nothing says how many there are',
      walk(start(), page({ nextToken: 'a', total: null }), page({ total: null })),
      0,
      /does not state/,
    ],
    [
      'the same pages as the time before, an entry on two or not',
      walk(start(2, 'the same'), page({ nextToken: 'a' }), page({ digestAfter: 'the same' })),
      1,
      null,
    ],
    [
      'the same pages as the time before, but fewer than there are',
      walk(start(2, 'the same'), page({ nextToken: 'a' }), page({ rows: 9, digestAfter: 'the same' })),
      0,
      /gave 19/,
    ],
  ])('%s', (_, ended, repeated, doubt) => {
    const found = findDoubt(ended, repeated);
    if (doubt === null) expect(found).toBeNull();
    else expect(found).toMatch(doubt);
  });

  it('plans parts that leave room on a page, and shorter ones with every attempt', () => {
    expect([1, 2, 3, 4].map((attempt) => rowsPerPart({ capacity: 60 }, attempt))).toEqual([48, 24, 12, 6]);
    expect(rowsPerPart({ capacity: 1 }, 1)).toBe(1);
    expect(rowsPerPart({ capacity: 0 }, 4)).toBe(1);
  });
});
