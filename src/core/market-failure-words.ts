import type { MarketError, MarketErrorKind } from './errors.ts';

const failures: Record<MarketErrorKind, string> = {
  network: 'the market cannot be reached',
  timeout: 'the market did not answer in time',
  http: 'the market answered with an error',
  rate_limited: 'the market asks for fewer requests',
  auth: 'the market refused the key',
  parse: "the market's answer cannot be read",
  contract: "the market's answer is not what was expected",
  too_large: "the market's answer is too large",
  not_found: 'the market has nothing with this id',
  'offer-gone': 'the offer is gone',
};

/**
 * Returns why a market call failed: first in plain words, then with the technical details for the operator: `the
 * market cannot be reached: POST /api/v0/bundles/ failed: …`.
 */
export const marketFailureWords = ({ kind, said, message }: MarketError): string =>
  `${failures[kind === 'contract' && said !== null ? 'http' : kind]}: ${message}`;
