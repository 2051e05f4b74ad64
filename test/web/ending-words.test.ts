import { expect, it } from 'vitest';
import {
  earlyEnd,
  endingWords,
  endMoment,
  endsSoon,
  hostEnds,
  hostEndsThisIn,
  hoursOf,
  hoursUntilEnd,
  hoursWords,
  listedEnd,
  offeredUntil,
} from '../../web/core/ending-words.ts';

it.each([
  [61.2, 720, 'host ends it in 2 days 13 h, before the 720 h that prices assume'],
  [0.5, 8, 'host ends it in 30 min, before the 8 h of the usage profile'],
  [720, 720, null],
  [900, 720, null],
  [null, 720, null],
])('an offer for %s hours and a profile of %s: %s', (maxDurationHours, profileHours, words) => {
  expect(endingWords(maxDurationHours, profileHours)).toBe(words);
});

it.each([
  [5.5, 'host ends it in 5 h 30 min'],
  [47.9, 'host ends it in 47 h'],
  [48, 'host ends it in 2+ days'],
  [143.9, 'host ends it in 5+ days'],
  [240, 'host ends it in 10 days'],
  [648, 'host ends it in 27 days'],
])('a list says of an offer for %s hours: %s', (hours, words) => {
  expect(listedEnd(hours)).toBe(words);
});

it('of one offer it is a sentence', () => {
  expect(endingWords(27, 720, hostEndsThisIn)).toBe(
    'the host ends this offer in 27 h, before the 720 h that prices assume',
  );
});

it.each([
  [
    '60',
    'The host ends the offer in 2 days 12 h, before the 720 h that prices assume; the hours planned end with it.',
  ],
  [
    '24',
    'The host ends the offer in 2 days 12 h, after the hours planned; until then it runs on, unless you end it.',
  ],
  ['61', 'The host ends the offer in 2 days 12 h, before the planned hours are over.'],
])('a plan of %s hours beside an offer of 60', (planned, words) => {
  expect(hoursWords(planned, { maxHours: 60, profileHours: 720, keeps: true })).toBe(words);
});

it('a plan of all hours of the profile is cut by nothing', () => {
  expect(hoursWords('24', { maxHours: 60, profileHours: 720, keeps: false })).toMatch(
    /, after the hours planned\.$/,
  );
  expect(hoursWords('60', { maxHours: 60, profileHours: 60, keeps: true })).toBe(
    'The host ends the offer in 2 days 12 h; the hours planned end with it.',
  );
});

it('what is left of an offer counts from its book, and never below nothing', () => {
  const observedAt = '2026-07-30T12:00:00.000Z';
  const now = Date.parse('2026-07-30T12:30:00.000Z');
  expect(hoursUntilEnd(72, observedAt, now)).toBe(71.5);
  expect(hoursUntilEnd(0.25, observedAt, now)).toBe(0);
  expect(hoursUntilEnd(null, observedAt, now)).toBeNull();
  expect(endMoment(71.5, now)).toMatch(/^until .*Aug.* 2026/);
});

it('less than an hour of the offer is left over when its whole hours are planned', () => {
  expect([hostEnds(hoursOf('8'), 8.9), hostEnds(hoursOf(''), 8), hostEnds(hoursOf('many'), 8)]).toEqual([
    'with',
    null,
    null,
  ]);
  expect(hoursWords('8', { maxHours: 8.9, profileHours: 8, keeps: true })).toBe(
    'The host ends the offer in 8 h 54 min; the hours planned end with it.',
  );
});

it('an end within two days is soon, and a title says in two sentences what it means', () => {
  expect([endsSoon(0), endsSoon(48), endsSoon(48.1)]).toEqual([true, true, false]);
  const now = Date.parse('2026-07-30T12:30:00.000Z');
  expect(offeredUntil(24, 720, now)).toBe(
    `The machine is offered ${endMoment(24, now)}, less than the 720 h that prices are compared by. Deals can list such offers last.`,
  );
});

it.each([
  [7, 2_400, 720, 'sooner than this one (in 100 days) and before the 720 h that prices assume'],
  [7, null, 720, 'before the 720 h that prices assume'],
  [1_000, 2_400, 720, 'sooner than this one (in 100 days)'],
  [30, 20, 24, null],
  [99.5, 100, 24, null],
  [null, 100, 24, null],
])('an equal machine with %s h left beside one with %s h, for %s h', (left, own, hours, words) => {
  expect(earlyEnd(left, own, hours)).toBe(words);
});
