/** What a sync can say about its completeness. */
export interface BillingCertificate {
  /** Number of responses without retries, including repeated pages. */
  pages: number;
  /** Rows of the responses that the sync is based on, readable or not. */
  rows: number;
  /** `total` of the first response and of the last; null: not stated. */
  firstTotal: number | null;
  lastTotal: number | null;
  /** Unreadable rows by reason. */
  rejected: Record<string, number>;
  /** Entries on more than one page of the window, because pages moved or entries are equal. */
  repeated: number;
  /** Why the pages of the window did not fit together; null: they did. */
  moved: string | null;
  /** Parts in which the window was read again; 0: once was enough. */
  parts: number;
  /** Parts that did not fit together either. */
  unprovedParts: number;
  /** How often the window was started again because the market no longer accepted its token. */
  restarts: number;
  /** Responses whose `count` was not the number of their rows. */
  miscounted: number;
  replacedCharacters: number;
  retries: number;
  throttles: number;
  durationMs: number;
  /** What it changed; null: nothing was stored. */
  kept: BillingChanges | null;
}

/** Changes of a sync. */
export interface BillingChanges {
  /** In the sync. */
  entries: number;
  added: number;
  /** With changed fields. */
  changed: number;
  /** Had disappeared before. */
  returned: number;
  /** Missing from the sync although they lie in its window. */
  missed: number;
  /** Of these, missing for the second time. */
  disappeared: number;
}

/** Returns an empty certificate. */
export const blankBillingCertificate = (): BillingCertificate => ({
  pages: 0,
  rows: 0,
  firstTotal: null,
  lastTotal: null,
  rejected: {},
  repeated: 0,
  moved: null,
  parts: 0,
  unprovedParts: 0,
  restarts: 0,
  miscounted: 0,
  replacedCharacters: 0,
  retries: 0,
  throttles: 0,
  durationMs: 0,
  kept: null,
});
