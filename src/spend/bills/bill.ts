/** What is read: payments and their like, or what instances and volumes cost. */
export type BillingKind = 'invoice' | 'charge';

/** Each kind as crawls and people name it. */
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
