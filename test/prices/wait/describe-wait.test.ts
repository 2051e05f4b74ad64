import { expect, it } from 'vitest';
import { describeWait } from '../../../src/prices/wait/describe-wait.ts';

const drops = (chance: number | null, medianHours: number | null) => ({
  ...{ status: chance === null ? ('insufficient' as const) : ('ok' as const), books: 900, cases: 42 },
  ...{ neededCases: 30, drops: [{ percent: 5, chance, medianHours }] },
});

it.each([
  [
    0.71,
    3.04,
    /^In 7 of 10 past periods of 24 hours an offer at least 5% below .*, usually after 3 hours \(42 periods\)\.$/,
  ],
  [0.04, 20, /^In fewer than 1 of 10 past periods/],
  [0.97, 1.5, /^In more than 9 of 10 past periods .* after 1.5 hours/],
  [1, 1, /^In 10 of 10 past periods/],
  [0, null, /^In 42 past periods of 24 hours no offer 5% below the lowest price appeared\.$/],
  [null, null, /^Not enough history to say whether waiting pays off: 42 of the 30 past periods/],
])('a chance of %s after %s hours in words', (chance, hours, words) => {
  expect(describeWait(drops(chance, hours), 24)).toMatch(words);
});
