/** Who asks: what a person waits for goes before what a schedule began. */
export type Requester = 'person' | 'crawl';

/** At most `count` requests in any `windowMs`, whoever sends them. */
export interface RequestLimit {
  count: number;
  windowMs: number;
}

/** The right to send one request, now. */
export interface RequestTurn {
  /** Whether it is too late to send with it, the process having been stopped: another has to be asked for. */
  isStale: () => boolean;
  /** Tells that the market has counted the request by now: it answers, or the request has failed. Once counts. */
  end: () => void;
}

/** What requests to one market are taken from. */
export interface RequestBudget {
  /**
   * Resolves when one request to `endpoint` may be sent; it is spent then, sent or not. Rejects with the reason
   * of `signal` when that aborts.
   */
  awaitTurn: (endpoint: string, signal?: AbortSignal) => Promise<RequestTurn>;
  /** Tells that the market asked for fewer requests to `endpoint`. Never throws. */
  noteThrottled: (endpoint: string) => void;
}

/** The turn of a request that nobody counts. */
export const freeTurn: RequestTurn = { isStale: () => false, end: () => {} };

/**
 * Milliseconds added to a window, so that a request that travels faster than one before it does not reach the
 * market within the window: 2 %, of short windows up to 5 %.
 */
export const windowMarginMs = (windowMs: number): number =>
  Math.max(0.02 * windowMs, Math.min(50, 0.05 * windowMs));
