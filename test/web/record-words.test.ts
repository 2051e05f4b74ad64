import { expect, it } from 'vitest';
import { listingEndWords, rentalsSentence, staysSentence } from '../../web/core/record-words.ts';

const place = {
  ...{ machines: 4, listings: 12, readListings: 12, listedNow: 3, stays: 9, medianListedHours: 76 },
  rentals: { made: 0, ran: 0, notRented: 0, neverRan: 0, wentDown: 0 },
  otherInstances: 0,
};

it('how long listings last is said with what it rests on, and is unknown after too few stays', () => {
  expect(staysSentence('host', place, 5)).toBe(
    'Seen so far: 12 listings on 4 machines; listed now: 3. Together they appeared and disappeared 9 times, listed for a median of 3 days 4 h.',
  );
  expect(staysSentence('machine', place, 5)).toMatch(/^Seen so far: 12 listings; listed now: 3\./);
  expect(
    staysSentence(
      'machine',
      {
        ...place,
        listings: 1,
        machines: 1,
        readListings: 1,
        listedNow: 1,
        stays: 2,
        medianListedHours: null,
      },
      5,
    ),
  ).toBe(
    'Seen so far: 1 listing; listed now: 1. It appeared and disappeared 2 times, too seldom to say how long a listing lasts: 5 times are needed.',
  );
  expect(staysSentence('host', { ...place, listings: 900, readListings: 200 }, 5)).toContain(
    'of the 200 seen last.',
  );
});

it('the end of a listing ends no rental, which a bid that is outbid does', () => {
  expect(listingEndWords('on-demand')).toBe(
    'A listing disappears when someone rents the machine or its host withdraws it; the market does not say which. That ends no rental that runs: it may run until the offer’s end.',
  );
  expect(listingEndWords('bid')).toMatch(/until the offer’s end, or until it is outbid\.$/);
});

it('own rentals are counted, failed ones by how they failed', () => {
  const said = (rentals: Partial<typeof place.rentals>, otherInstances = 0) =>
    rentalsSentence('host', { rentals: { ...place.rentals, ...rentals }, otherInstances });
  expect(said({})).toBe('You have rented nothing there yet.');
  // Stopped before it ran: it shows nothing about the host.
  expect(said({ made: 1 })).toBe('1 rental of yours there: it has not run.');
  expect(said({ made: 1, ran: 1 })).toBe('1 rental of yours there: it ran and did not go down.');
  expect(said({ made: 6, ran: 2, notRented: 1, neverRan: 2, wentDown: 1 })).toBe(
    '6 rentals of yours there: 2 ran, 1 of them went down while running; 3 failed (1 not rented after all, 2 never ran); 1 starting, or ended before running.',
  );
  expect(said({ made: 1, neverRan: 1 })).toBe('1 rental of yours there: it failed: it never ran.');
  expect(said({}, 1)).toBe('You have had 1 instance on this host; it was not rented by Offerbook.');
  expect(said({ made: 1, ran: 1 }, 2)).toBe(
    '1 rental of yours there: it ran and did not go down. You have also had 2 instances on this host; they were not rented by Offerbook.',
  );
});
