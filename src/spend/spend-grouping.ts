/** What spend can be grouped by. Source: design.md section 4. */
export const spendGroupings = [
  ...(['month', 'week', 'day', 'service', 'type', 'source', 'gpuName', 'instance', 'label'] as const),
  ...(['rentedBy', 'costCenter'] as const),
] as const;
export type SpendGrouping = (typeof spendGroupings)[number];

/** What money went for: use, or one of the ways that it moves between the account and its owner. */
export const spendCategories = ['consumption', 'payment', 'transfer', 'refund', 'payout'] as const;
export type SpendCategory = (typeof spendCategories)[number];

/** Whether the market has charged it, or Offerbook reckons that it will. */
export const spendBases = ['charged', 'estimated'] as const;
export type SpendBasis = (typeof spendBases)[number];

/** What spend is asked for. */
export interface SpendScope {
  marketId: number;
  from: Date;
  to: Date;
  /** Whose midnights divide days, weeks and months. */
  timeZone: string;
  /** What was known then; charges that are open are open until then. */
  asOf: Date;
}

/** One sum. */
export interface SpendSum {
  /** Value of the first grouping, `2026-11` of a month; null: the entries do not say. */
  key: string | null;
  /** Value of the second grouping; null as well where there is none. */
  subkey: string | null;
  category: SpendCategory;
  basis: SpendBasis;
  /** US dollars, exact. */
  amountUsd: string;
  entries: number;
}

/** A sum over all groups. */
export type SpendTotal = Pick<SpendSum, 'category' | 'basis' | 'amountUsd' | 'entries'>;

/** Days after the end of a month from which a complete reading closes it. */
export const closingDays = 3;

/** Whether a zone's name means the same to the program and to the database: signs of bare offsets do not. */
export const isNamedZone = (name: string): boolean => /^[A-Za-z]/.test(name);
