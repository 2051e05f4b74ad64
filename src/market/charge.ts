/** One line of a charge. */
export interface ChargeItem {
  /** `gpu`, `disk`, `bwd` and `bwu` (bandwidth down and up), others as delivered; null: not stated. */
  type: string | null;
  /** `96.000 hours at $0.389/hour`. */
  description: string | null;
  /** US dollars, decimal text as delivered. */
  amountUsd: string;
  startAt: Date | null;
  endAt: Date | null;
}

/** What one instance, volume or worker used in a period. Source: docs/marketplace.md#413-list-charges. */
export interface ChargeEntry {
  /** `instance`, `volume`, `serverless`; as delivered. */
  type: string | null;
  /** `instance-123`. */
  source: string | null;
  /** The number in a source such as `instance-123`; else null. */
  instanceId: number | null;
  description: string | null;
  /** US dollars, decimal text as delivered. */
  amountUsd: string;
  startAt: Date;
  endAt: Date | null;
  /** From `metadata`. */
  label: string | null;
  templateId: number | null;
  items: readonly ChargeItem[];
  /** The record as delivered, JSON text with every number's own digits. */
  raw: string;
}
