/** A payment, transfer, refund or payout. Source: docs/marketplace.md#26-invoice. */
export interface InvoiceEntry {
  /** `metadata.invoice_id`; null: not stated. */
  invoiceId: number | null;
  /** `metadata.service` as delivered, such as `transfer` or `instance_prepay`. */
  service: string | null;
  type: string | null;
  source: string | null;
  description: string | null;
  /** US dollars, the response's decimal text, never rounded; sign as delivered. */
  amountUsd: string;
  startAt: Date;
  /** null while unpaid. */
  endAt: Date | null;
  /** The record as delivered, JSON text with every number's own digits. */
  raw: string;
}
