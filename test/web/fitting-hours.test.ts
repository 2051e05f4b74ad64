import { expect, it } from 'vitest';
import { fittingHours } from '../../web/rentals/rent/use-fitting-hours.ts';

const at = '2026-11-26T12:00:00.000Z';

it.each([
  ['720', '2026-11-27T18:30:00.000Z', '30'],
  ['720', '2027-03-01T00:00:00.000Z', '720'],
  ['720', null, '720'],
  ['720', '2026-11-26T12:20:00.000Z', '1'],
])('plans %s hours no longer than an offer until %s: %s', (hours, endsAt, wanted) => {
  expect(fittingHours(hours, { at, endsAt })).toBe(wanted);
});
