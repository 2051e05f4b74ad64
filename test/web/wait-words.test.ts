import { expect, it } from 'vitest';
import type { MarketWait } from '../../web/core/api.ts';
import { waitSentence } from '../../web/core/wait-words.ts';

const past = (chance: number | null): MarketWait['overall'] => ({
  ...{ status: chance === null ? 'insufficient' : 'ok', books: 50, cases: 40, neededCases: 30 },
  drops: [{ percent: 5, chance, medianHours: null }],
});

it.each([
  [0.7, null, 'Waiting has usually paid off: in 7 of 10'],
  [0.5, null, 'Waiting has paid off about as often as not: in 5 of 10'],
  // A low price is judged by what followed low prices.
  [0.7, 0.2, 'Waiting has seldom paid off at prices like now’s: in 2 of 10'],
  [0.7, 0, 'Waiting has seldom paid off at prices like now’s: in 40 past periods of 24 hours no offer'],
  [null, null, 'Not enough history'],
])(
  'the chance of a lower price, %s at any price and %s at prices like now’s, reads: %s',
  (any, similar, words) => {
    const sentence = waitSentence({ overall: past(any), similar: past(similar), hours: 24 });
    expect(sentence.slice(0, words.length)).toBe(words);
    expect(sentence.endsWith('; at any price in 7 of 10.')).toBe(similar !== null);
  },
);
