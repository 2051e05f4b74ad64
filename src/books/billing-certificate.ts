/** Evidence of a sync's completeness. */
export interface BillingCertificate {
  /** Number of responses without retries, including repeated pages. */
  pages: number;
  /** Rows of the responses that the sync is based on, readable or not. */
  rows: number;
  /** `total` of the first and last responses; null: not stated. */
  firstTotal: number | null;
  lastTotal: number | null;
  /** Unreadable rows by reason. */
  rejected: Record<string, number>;
  /** Entries on more than one page of the window, because pages moved or entries are equal. */
  repeated: number;
  /** Why the pages of the window did not fit together; null: they did. */
  moved: string | null;
  /** Number of parts in which the window was read again; 0: not read again. */
  parts: number;
  /** Parts whose pages did not fit together either. */
  unprovedParts: number;
  /** Restarts of the window because the market no longer accepted its token. */
  restarts: number;
  /** Responses whose `count` differed from their number of rows. */
  miscounted: number;
  replacedCharacters: number;
  retries: number;
  throttles: number;
  durationMs: number;
  /** Changes by the sync; null: nothing was stored. */
  kept: BillingChanges | null;
}

/** Changes of a sync. */
export interface BillingChanges {
  /** Entries in the sync. */
  entries: number;
  added: number;
  /** Known entries with changed fields. */
  changed: number;
  /** Entries that had disappeared and are listed again. */
  returned: number;
  /** Entries of the window that the sync lacks. */
  missed: number;
  /** Of these, entries missing for the second time. */
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
