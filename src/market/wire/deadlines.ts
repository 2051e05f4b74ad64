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

/** Of an answer that holds offers: a full book of 95 MB over 10 Mb/s takes 76 s uncompressed. */
export const bookTimeouts: Timeouts = {
  headersMs: 60_000,
  idleMs: 30_000,
  totalMs: 300_000,
  callMs: 900_000,
};
/** Of every other answer. */
export const recordTimeouts: Timeouts = {
  headersMs: 30_000,
  idleMs: 15_000,
  totalMs: 60_000,
  callMs: 300_000,
};
