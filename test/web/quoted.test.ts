import { describe, expect, it } from 'vitest';
import type { Quote, RentRequest } from '../../web/core/api.ts';
import { attemptOf, nextQuote, plannedWords, trafficWords } from '../../web/rentals/rent/quoted.ts';
import { reasonsAgainst } from '../../web/rentals/rent/total-card.tsx';

const request: RentRequest = { offerId: 7, diskGb: 16 };
const quoteOf = (usdPerHour: string | null): Quote => ({ offerId: 7, usdPerHour }) as Quote;
const quoted = (usdPerHour: string | null, of = request) => ({ quote: quoteOf(usdPerHour), request: of });

describe('a quote that is renewed', () => {
  it('says how the market changed the price, until the reader changes the request', () => {
    const first = nextQuote(null, quoted('0.41'));
    expect(first.change).toBeNull();
    const same = nextQuote(first, quoted('0.41'));
    expect(same.change).toBeNull();
    const dearer = nextQuote(same, quoted('0.44'));
    expect(dearer.change).toEqual({ before: '0.41', after: '0.44' });
    expect(nextQuote(dearer, quoted('0.44')).change).toEqual({ before: '0.41', after: '0.44' });
    expect(nextQuote(dearer, quoted(null)).change).toEqual({ before: '0.44', after: null });
    // Another disk costs something else; the market has not changed its price.
    expect(nextQuote(dearer, quoted('0.5', { ...request, diskGb: 40 })).change).toBeNull();
  });
});

describe('what is sent', () => {
  it('is capped at the confirmed price, whatever cap was filled in', () => {
    const { key, body } = attemptOf(null, quoted('0.4100000001', { ...request, maxUsdPerHour: 9 }), 'a');
    expect([key, body]).toEqual(['a', { offerId: 7, diskGb: 16, maxUsdPerHour: 0.410001 }]);
  });

  it('is repeated as it was after an unclear answer, so that it stays one rental', () => {
    const unsure = attemptOf(null, quoted('0.41'), 'a');
    expect(attemptOf(unsure, quoted('0.44'), 'b')).toBe(unsure);
  });
});

it.each([
  [{ runningHours: 8, downGb: 0, upGb: 0 }, '8 hours'],
  [{ runningHours: 8, downGb: 1000, upGb: 50 }, '8 hours with 1,050 GB of traffic'],
  [{ runningHours: 1 }, '1 hour'],
  [undefined, 'The planned hours'],
])('the amount of the profile %j is for: %s', (profile, words) => {
  expect(plannedWords({ ...(profile && { profile }), maxHours: 8 }, null)).toBe(words);
});

it('the amount of planned hours is only for the first ones of an instance that runs on', () => {
  const profile = { runningHours: 8, downGb: 2 };
  expect(plannedWords({ profile }, null)).toBe('The first 8 hours with 2 GB of traffic');
  expect(plannedWords({ profile }, 100)).toBe('The first 8 hours with 2 GB of traffic');
  expect(plannedWords({ profile: { runningHours: 1 } }, 100)).toBe('The first hour');
  expect(plannedWords({ profile }, 8.5)).toBe('8 hours with 2 GB of traffic');
});

it.each([
  [0.004, 0, 'download $0.004000 per GB, upload free'],
  [0, null, 'download free, upload not stated'],
])('traffic of $%s down and $%s up per GB costs: %s', (inetDownUsdPerGb, inetUpUsdPerGb, words) => {
  expect(trafficWords({ inetDownUsdPerGb, inetUpUsdPerGb })).toBe(words);
});

it('each reason for a refusal is told once', () => {
  const refused = {
    ...quoteOf('0.41'),
    guards: [{ guard: 'max-instances', limit: '1', value: '1', message: 'One is enough.' }],
    refusal: { kind: 'invalid-request', message: 'An image is missing.' },
    problems: ['An image is missing.'],
  };
  expect(reasonsAgainst(refused).map(({ message }) => message)).toEqual([
    ...['One is enough.', 'An image is missing.'],
  ]);
});
