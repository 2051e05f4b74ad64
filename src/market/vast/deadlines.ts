import type { EndpointName } from './dialect.ts';

/** Milliseconds after which a request fails, so that none can hang. */
export interface Timeouts {
  /** From the start to the answer's headers, connecting included. */
  headersMs: number;
  /** Without any new byte of the body. */
  idleMs: number;
  /** From the start to the last byte of one attempt. */
  totalMs: number;
  /** All attempts of one call and the waits between them; waiting for a turn does not count. */
  callMs: number;
}

/** A full book of 95 MB over 10 Mb/s takes 76 s uncompressed. */
const bookTimeouts: Timeouts = { headersMs: 60_000, idleMs: 30_000, totalMs: 300_000, callMs: 900_000 };
const recordTimeouts: Timeouts = { headersMs: 30_000, idleMs: 15_000, totalMs: 60_000, callMs: 300_000 };

/** The deadlines of an endpoint: a book's for the offer search, a record's for all others. */
export const timeoutsOf = (endpoint: EndpointName): Timeouts =>
  endpoint === 'searchOffers' ? bookTimeouts : recordTimeouts;
