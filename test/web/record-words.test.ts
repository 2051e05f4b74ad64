import { expect, it } from 'vitest';
import { listingEndWords, rentalsSentence, staysSentence } from '../../web/core/record-words.ts';

const place = {
  ...{ machines: 4, listings: 12, readListings: 12, listedNow: 3, stays: 9, medianListedHours: 76 },
  rentals: { made: 0, ran: 0, notRented: 0, neverRan: 0, wentDown: 0 },
  otherInstances: 0,
};

it('how long listings last is said with what it rests on, and is unknown after too few stays', () => {
  expect(staysSentence(place, 5)).toBe(
    '12 listings on 4 machines seen, 3 listed now. One was seen to appear and to disappear 9 times; in between it was listed for 3 days 4 h (median of the 9).',
  );
  expect(
    staysSentence(
      { ...place, listings: 1, machines: 1, readListings: 1, stays: 2, medianListedHours: null },
      5,
    ),
  ).toBe(
    '1 listing on 1 machine seen, 3 listed now. How long one stays listed is not known yet: one was seen to appear and to disappear 2 times, and 5 times are needed.',
  );
  expect(staysSentence({ ...place, listings: 900, readListings: 200 }, 5)).toContain('of the 200 seen last.');
});

it('the end of a listing ends no rental, which a bid that is outbid does', () => {
  expect(listingEndWords('on-demand')).toBe(
    'A listing disappears when someone rents the machine or its host withdraws it; the market does not say which. That ends no rental that runs: it may run until the offer’s end.',
  );
  expect(listingEndWords('bid')).toMatch(/until the offer’s end, or until it is outbid\.$/);
});

it('own rentals are counted, failed ones by how they failed', () => {
  const said = (rentals: Partial<typeof place.rentals>, otherInstances = 0) =>
    rentalsSentence({ rentals: { ...place.rentals, ...rentals }, otherInstances });
  expect(said({})).toBe('You have rented nothing there yet.');
  // Stopped before it ran: it shows nothing about the host.
  expect(said({ made: 1 })).toBe('1 rental of yours: none has run yet.');
  expect(said({ made: 1, ran: 1 })).toBe('1 rental of yours: 1 ran, none went down.');
  expect(said({ made: 6, ran: 2, notRented: 1, neverRan: 2, wentDown: 1 })).toBe(
    '6 rentals of yours: 2 ran, 3 failed (1 not rented after all, 2 never ran), 1 starting or ended before, 1 went down while running.',
  );
  expect(said({}, 1)).toBe('You have had 1 instance there, rented elsewhere, not by Offerbook.');
  expect(said({ made: 1, ran: 1 }, 2)).toBe(
    '1 rental of yours: 1 ran, none went down. You have also had 2 instances there, rented elsewhere, not by Offerbook.',
  );
});
