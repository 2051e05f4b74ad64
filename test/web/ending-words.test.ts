import { expect, it } from 'vitest';
import { endingWords, hoursWords } from '../../web/core/ending-words.ts';

it.each([
  [61.2, 720, 'ends after 61 of your 720 hours'],
  [0.5, 8, 'ends after 0 of your 8 hours'],
  [720, 720, null],
  [900, 720, null],
  [null, 720, null],
])('an offer for %s hours and a profile of %s: %s', (maxDurationHours, profileHours, words) => {
  expect(endingWords(maxDurationHours, profileHours)).toBe(words);
});

it.each([
  [
    '60',
    'The host ends the offer in 2 days 12 h: it ends after 60 of your 720 hours; you plan to rent it until then.',
  ],
  ['24', 'The host ends the offer in 2 days 12 h.'],
  ['61', 'The host ends the offer in 2 days 12 h, before the planned hours are over.'],
])('a plan of %s hours beside an offer of 60', (planned, words) => {
  expect(hoursWords(planned, 60, 720)).toBe(words);
});

it('a plan of all hours of the profile is cut by nothing', () => {
  expect(hoursWords('60', 60, 60)).toBe(
    'The host ends the offer in 2 days 12 h; you plan to rent it until then.',
  );
});
