import { expect, it } from 'vitest';
import type { MarketWait } from '../../web/core/api.ts';
import {
  lastingSentence,
  needsSentence,
  timingSentence,
  waitNeeds,
  waitSentence,
} from '../../web/core/wait-words.ts';

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

it('says from when on it can be told, and what that takes', () => {
  const asked = {
    overall: past(null),
    similar: past(null),
    hours: 24,
    observedAt: '2026-07-30T12:00:00.000Z',
    closeSince: '2026-07-30T09:00:00.000Z',
    gapHoursBefore: 12,
  };
  const young = { ...asked, overall: { ...past(null), cases: 4 } };
  const needs = waitNeeds(young);
  expect(needs).toMatchObject({
    readyAt: '2026-08-25T12:00:00.000Z',
    cases:
      'This goes by the lowest price of a whole offer, and needs 30 past periods of 24 hours. So far there are',
  });
  expect(waitNeeds({ ...asked, overall: { ...past(null), cases: 1 } })?.cases).toMatch(/\. So far there is$/);
  expect(needs?.reason).toMatch(
    /^Only times count in which there is a book \(snapshot of the market\) at least every 3 hours\. That has always been so since Jul 30, 2026.*; before, only at times: gaps were usually 12 hours long\.$/,
  );
  expect(waitNeeds({ ...young, gapHoursBefore: null })?.reason).not.toContain('before');
  expect(waitNeeds({ ...young, observedAt: null })?.readyAt).toBeNull();
  expect(waitNeeds({ ...asked, overall: past(0.7) })).toBeNull();
});

it('says in a line until when it is unknown, or whether it is a good time to rent', () => {
  const readyAt = '2026-08-25T12:00:00.000Z';
  const what = 'not enough history to say whether waiting pays off';
  expect(needsSentence({ readyAt }, false)).toBe(`Until about Aug 25, 2026 there is ${what}.`);
  expect(needsSentence({ readyAt }, true)).toBe(`This record has ${what}.`);
  expect(needsSentence({ readyAt: null }, false)).toBe(`There is ${what} yet.`);
  const words = { text: 'a bad time to rent', claim: 'C', last: null, medianUsdPerGpuHour: 0.15 };
  const alone = {
    set: 'reliable',
    isDeverified: false,
    numGpus: [],
    lowest: 0.2,
    lowestGpus: 2,
    endsInHours: null,
    gone: null,
    usdPerGpuHour: null,
    widerText: null,
    newest: null,
  };
  expect(timingSentence(words, alone)).toBe(
    'A bad time to rent if any number of GPUs will do: the lowest reliable price is $0.2000 (× 2) now; C.',
  );
  // What the page found out since the book is not kept from the reader.
  expect(timingSentence(words, { ...alone, gone: 'missing', usdPerGpuHour: 0.25 })).toBe(
    'The lowest offer is gone; with it, a bad time to rent if any number of GPUs will do: the lowest reliable price is $0.2000 (× 2) in the newest book; C. The next book judges again.',
  );
  expect(timingSentence(words, { ...alone, gone: 'rented here' })).toMatch(
    /^You rented the lowest offer; with it, /,
  );
  expect(timingSentence(words, { ...alone, numGpus: ['1'] })).toBe(
    'A bad time to rent 1 GPU: the lowest reliable price is $0.2000 now; C.',
  );
  // Today judges any number: where that differs, both are said.
  const beside = (widerText: string) => timingSentence(words, { ...alone, numGpus: ['1'], widerText });
  expect(beside('a good time to rent')).toBe(
    'A bad time to rent 1 GPU: the lowest reliable price is $0.2000 now; C. If any number of GPUs will do, it is a good time to rent.',
  );
  expect(beside('a bad time to rent')).not.toContain('any number');
  // One at the same price may last longer.
  expect(timingSentence(words, { ...alone, endsInHours: 25, usdPerGpuHour: 0.2 })).not.toContain('25 h');
  expect(timingSentence(words, { ...alone, numGpus: ['1'], endsInHours: 25 })).toMatch(
    /^A bad time to rent 1 GPU for up to 25 h: /,
  );
  const [since, until] = [27, 3].map((hours) => new Date(Date.now() - hours * 3_600_000).toISOString());
  const last = { usdPerGpuHour: 0.1, since: since ?? '', until: until ?? '' };
  const claim = 'the lowest price was higher in 57% of the last 7 days';
  expect(timingSentence({ ...words, claim, last }, alone)).toBe(
    'A bad time to rent if any number of GPUs will do: the lowest reliable price is $0.2000 (× 2) now; it was higher than now in 57% of the last 7 days, usually $0.1500; it was $0.1000 for 24 h until 3 h ago.',
  );
  // A list of all offers may have it last.
  expect(timingSentence(words, { ...alone, set: 'all offers', isDeverified: true })).toBe(
    'A bad time to rent if any number of GPUs will do: the lowest price of all offers is $0.2000 (× 2, deverified) now; C.',
  );
  expect(timingSentence(words, { ...alone, usdPerGpuHour: 0.2005 })).not.toContain('more');
  const costly = { ...alone, usdPerGpuHour: 0.308 };
  expect(timingSentence({ ...words, claim, last }, { ...costly, numGpus: ['2', '4'] })).toBe(
    'This offer costs 54% more than the lowest reliable price of 2 or 4 GPUs, $0.2000 (× 2), and 105% more than the usual lowest price. By that lowest price it is a bad time to rent: it was higher than now in 57% of the last 7 days, usually $0.1500.',
  );
  // Whoever needs it longer cannot take the lowest.
  expect(timingSentence(words, { ...costly, numGpus: ['1'], endsInHours: 25 })).toMatch(
    /of 1 GPU, \$0\.2000 \(of an offer that its host ends in 25 h\), and 105% more /,
  );
  expect(timingSentence(words, { ...alone, endsInHours: 25 })).toBe(
    'A bad time to rent if any number of GPUs will do, for up to 25 h: the lowest reliable price is $0.2000 (× 2) now; C.',
  );
});

it('says what an offer costs that lasts, beside the usual lowest price, and that no more is known', () => {
  const early = { hours: 720, usdPerGpuHour: 0.3207, usual: 0.2651 };
  const sentenceOf = (changes: object) => lastingSentence({ ...early, ...changes });
  const unknown = 'earlier prices of such offers are not known.';
  expect(sentenceOf({})).toBe(
    `The lowest that lasts 720 h costs $0.3207, 21% more than the usual lowest price of any offer; ${unknown}`,
  );
  expect(sentenceOf({ usual: 0.4 })).toContain('costs $0.3207, 20% less than the usual lowest price');
  expect(sentenceOf({ usual: 0.3206 })).toContain('costs $0.3207, as much as the usual lowest price');
  expect(sentenceOf({ usual: null })).toBe(`The lowest that lasts 720 h costs $0.3207; ${unknown}`);
  expect(sentenceOf({ usdPerGpuHour: null })).toBe('No offer lasts 720 h.');
});
