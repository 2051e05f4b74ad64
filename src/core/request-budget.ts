/** Who requests: work that a person waits for comes before scheduled work. */
export type Requester = 'person' | 'crawl';

/** At most `count` requests in any `windowMs`, whoever sends them. */
export interface RequestLimit {
  count: number;
  windowMs: number;
}

/** Permission to send one request now. */
export interface RequestTurn {
  /** Whether the permission has expired because the process was suspended: a new one is needed. */
  isStale: () => boolean;
  /** Reports that the market has counted the request: it has answered or failed. Only the first call counts. */
  end: () => void;
}

/** The shared source of permissions for requests to one market. */
export interface RequestBudget {
  /**
   * Resolves when one request to `endpoint` may be sent; it is spent then, sent or not. Rejects with the reason of
   * `signal` on abort.
   */
  awaitTurn: (endpoint: string, signal?: AbortSignal) => Promise<RequestTurn>;
  /** Reports a throttled response of `endpoint`. Never throws. */
  noteThrottled: (endpoint: string) => void;
}

/** The permission of a request that is not limited. */
export const freeTurn: RequestTurn = { isStale: () => false, end: () => {} };

/**
 * Milliseconds added to a window, so that a request that travels faster than an earlier one does not arrive within it:
 * 2 %, for short windows up to 5 %.
 */
export const windowMarginMs = (windowMs: number): number =>
  Math.max(0.02 * windowMs, Math.min(50, 0.05 * windowMs));
