import { describe, expect, it } from 'vitest';
import { rowProblem } from '../../src/core/coverage.ts';

describe('what the rows of a book allow', () => {
  it.each([
    [100, 100, null],
    [1, 1, null],
    // 2% unreadable is still a book, more is not.
    [100, 98, null],
    [50, 49, null],
    [99, 97, { fatal: false, reason: '2 of 99 rows could not be read' }],
    [100, 97, { fatal: false, reason: '3 of 100 rows could not be read' }],
    [0, 0, { fatal: false, reason: 'the answer was empty' }],
    [3, 0, { fatal: true, reason: 'none of 3 rows could be read' }],
  ])('of %i rows %i accepted', (rows, accepted, problem) => {
    expect(rowProblem(rows, accepted)).toEqual(problem);
  });
});
