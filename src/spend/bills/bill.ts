/** What is read: payments and their like, or what instances and volumes cost. */
export type BillingKind = 'invoice' | 'charge';

/** Each kind as runs and people name it. */
export const billingNames = { invoice: 'invoices', charge: 'charges' } as const;

/** Both ends of a range of starts, the first included, the last not; null: open. */
export interface BillingRange {
  from: Date | null;
  to: Date | null;
}

/** An invoice or an item of a charge, as it is kept. Every field but those of the identity may change. */
export interface BillingFields {
  endAt: Date | null;
  type: string | null;
  source: string | null;
  service: string | null;
  description: string | null;
  invoiceId: number | null;
  instanceId: number | null;
  label: string | null;
  templateId: number | null;
  /** null: an invoice, or a charge without items. */
  itemType: string | null;
  itemDescription: string | null;
  itemStartAt: Date | null;
  itemEndAt: Date | null;
  /** US dollars of the invoice or the item, decimal text as delivered. */
  amountUsd: string;
  /** US dollars of the whole charge; null: an invoice. */
  chargeUsd: string | null;
}

export interface BillingEntry {
  /** The fields that make it the same entry, as JSON text. */
  identity: string;
  /** Equal exactly for records that say the same, in whatever order they name it. */
  contentHash: string;
  startAt: Date;
  fields: BillingFields;
  /** The record as delivered; items of one charge have the same. */
  raw: string;
}

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
