/** Payments and the like, or the cost of instances and volumes. */
export type BillingKind = 'invoice' | 'charge';

/** The names of kinds in crawls and on screen. */
export const billingNames = { invoice: 'invoices', charge: 'charges' } as const;

/** Start times in [from, to); null: open. */
export interface BillingRange {
  from: Date | null;
  to: Date | null;
}

/** A stored invoice or item of a charge. Every field outside the identity may change. */
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
  /** Equal exactly if two records have the same content, in any order of keys. */
  contentHash: string;
  startAt: Date;
  fields: BillingFields;
  /** The record as delivered; items of one charge share it. */
  raw: string;
}
