import { expect, it } from 'vitest';
import { agree } from '../../src/prices/explain/explained-figures.ts';

it.each([
  ['a change near 0, stored to 9 decimals', { percent: 0.016383961 }, { percent: 0.01638396143 }, true],
  ['another change', { mixPercent: -0.0532 }, { mixPercent: -0.0533 }, false],
  ['a price to its 9 digits', { median: 0.0123456789 }, { median: 0.01234567891 }, true],
  ['another price', { median: 0.0123456789 }, { median: 0.0123456799 }, false],
  ['another status', { status: 'clear' }, { status: 'steady' }, false],
  ['a figure that was not recomputed', { percent: 1 }, {}, false],
])('%s', (_name, value, recomputed, agrees) => {
  expect(agree(value, recomputed)).toBe(agrees);
});
