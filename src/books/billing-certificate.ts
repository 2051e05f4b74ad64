/** What a reading can say about how much of its window it holds. */
export interface BillingCertificate {
  /** Answers, retries apart, those that were asked for again among them. */
  pages: number;
  /** Rows of the answers that the reading rests on, readable or not. */
  rows: number;
  /** `total` of the first answer and of the last; null: not said. */
  firstTotal: number | null;
  lastTotal: number | null;
  /** Rows that could not be read, by reason. */
  rejected: Record<string, number>;
  /** Entries that came on more than one page of the window, since pages moved or since they are equal. */
  repeated: number;
  /** Why the pages of the window did not fit together; null: they did. */
  moved: string | null;
  /** Parts that the window was read again in; 0: once was enough. */
  parts: number;
  /** Parts that would not fit together either. */
  unprovedParts: number;
  /** Readings of the window that began anew because the market took its token no longer. */
  restarts: number;
  /** Answers whose `count` was not the number of their rows. */
  miscounted: number;
  replacedCharacters: number;
  retries: number;
  throttles: number;
  durationMs: number;
  /** What it changed; null: nothing was kept. */
  kept: BillingChanges | null;
}

/** What a reading changed in what is known. */
export interface BillingChanges {
  /** In the reading. */
  entries: number;
  added: number;
  /** Other fields than before. */
  changed: number;
  /** Had disappeared. */
  returned: number;
  /** Not in the reading although its window has them. */
  missed: number;
  /** Of them, missed for the second time. */
  disappeared: number;
}

/** An empty certificate to be filled in. */
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
