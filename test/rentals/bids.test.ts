import { expect, it } from 'vitest';
import {
  basePrice,
  bidOfInstance,
  findLowBidProblem,
  findMinimumBidWarning,
  typeOfRequest,
} from '../../src/rentals/rent/bids.ts';

const offer = { baseUsdPerHour: 0.8, minBidUsdPerHour: 0.2 };

it('a bid makes a request interruptible and replaces the price of the offer', () => {
  expect([typeOfRequest({}), String(basePrice({}, offer))]).toEqual(['on-demand', '0.8']);
  const request = { bidUsdPerHour: 0.3 };
  expect([typeOfRequest(request), String(basePrice(request, offer))]).toEqual(['bid', '0.3']);
});

it.each<[what: string, bid: number | undefined, min: number | null, isRefused: boolean, isWarned: boolean]>([
  ['no bid', undefined, 0.2, false, false],
  ['a bid below the minimum', 0.19, 0.2, true, true],
  ['a bid at the minimum', 0.2, 0.2, false, true],
  ['a bid above the minimum', 0.21, 0.2, false, false],
  ['a bid for an offer whose minimum is unknown', 0.01, null, false, false],
])(
  '%s is refused or warned of only because of the minimum',
  (_, bidUsdPerHour, minBidUsdPerHour, isRefused, isWarned) => {
    const of = { ...offer, minBidUsdPerHour };
    expect(findLowBidProblem({ bidUsdPerHour }, of) !== null).toBe(isRefused);
    expect(findMinimumBidWarning({ bidUsdPerHour }, of) !== null).toBe(isWarned);
  },
);

it('the bid of an instance is the one that the market lists, else that of its rental', () => {
  const rental = { type: 'bid', bidUsdPerHour: '0.3' } as const;
  expect(bidOfInstance({ type: 'bid', baseUsdPerHour: 0.4 }, rental)).toBe('0.4');
  expect(bidOfInstance({ type: 'bid', baseUsdPerHour: null }, rental)).toBe('0.3');
  expect(bidOfInstance(null, rental)).toBe('0.3');
  expect(bidOfInstance({ type: 'on-demand', baseUsdPerHour: 0.4 }, null)).toBeNull();
});
