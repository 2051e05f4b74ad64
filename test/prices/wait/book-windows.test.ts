import { expect, it } from 'vitest';
import { findPace } from '../../../src/prices/wait/book-windows.ts';

const hourMs = 3_600_000;

it.each([
  [[], null, null],
  [[0], 0, null],
  [[0, 3, 6], 0, null],
  [[0, 12, 24, 25, 27], 24, 12],
  // Close once, but not since.
  [[0, 1, 2, 8, 14], 14, 6],
  // Hourly books between the gaps, as while an instance runs on the simulated market, make no gap shorter.
  [[0, 12, 13, 14, 15, 16, 28], 28, 12],
])('books at %s hours are close since %s; the gaps before were of %s hours', (hours, since, gap) => {
  const { closeSince, gapHoursBefore } = findPace(Float64Array.from(hours, (hour) => hour * hourMs));
  expect(closeSince === null ? null : closeSince.getTime() / hourMs).toBe(since);
  expect(gapHoursBefore).toBe(gap);
});
