/** Milliseconds after which a request fails, so that none can hang. */
export interface Timeouts {
  /** From the start to the response's headers, including the connection. */
  headersMs: number;
  /** Without a new byte of the body. */
  idleMs: number;
  /** From the start to the last byte of one attempt. */
  totalMs: number;
  /** All attempts of one call and the waits between them, but not the wait for a turn. */
  callMs: number;
}

/** For responses with offers: a full book of 95 MB over 10 Mb/s takes 76 s uncompressed. */
export const bookTimeouts: Timeouts = {
  headersMs: 60_000,
  idleMs: 30_000,
  totalMs: 300_000,
  callMs: 900_000,
};
/** For all other responses. */
export const recordTimeouts: Timeouts = {
  headersMs: 30_000,
  idleMs: 15_000,
  totalMs: 60_000,
  callMs: 300_000,
};
