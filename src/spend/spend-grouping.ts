/**
 * How sums are grouped: by the days of their parts, by a column of the entries, or by a column of the table `instance`,
 * which has what is known of each instance now.
 */
export type GroupingSpec = {
  /** Label on the page. */
  label: string;
} & ({ days: 'month' | 'week' | 'day' } | { column: string } | { ofInstance: string });

/** Groupings of spend, one line each, in the order of documents and forms. */
export const groupings = {
  month: { days: 'month', label: 'month' },
  week: { days: 'week', label: 'week' },
  day: { days: 'day', label: 'day' },
  service: { column: 'service', label: 'service' },
  gpuName: { column: 'gpu_name', label: 'GPU model' },
  instance: { column: 'instance_id', label: 'instance' },
  label: { column: 'own_label', label: 'label' },
  rentedBy: { column: 'rented_by', label: 'rented by' },
  costCenter: { column: 'cost_center', label: 'cost center' },
  source: { column: 'source', label: 'source' },
  type: { column: 'type', label: 'type' },
} as const satisfies Record<string, GroupingSpec>;

export type SpendGrouping = keyof typeof groupings;
export const groupingEntries = Object.entries(groupings) as [SpendGrouping, GroupingSpec][];
export const spendGroupings = groupingEntries.map(([name]) => name);

/** What money was for: consumption, or a transfer between the account and its owner. */
export const spendCategories = ['consumption', 'payment', 'transfer', 'refund', 'payout'] as const;
export type SpendCategory = (typeof spendCategories)[number];

/** Whether the market charged an amount or Offerbook estimates it. */
export const spendBases = ['charged', 'estimated'] as const;
export type SpendBasis = (typeof spendBases)[number];

/** The scope of a read of spend. */
export interface SpendScope {
  marketId: number;
  from: Date;
  to: Date;
  /** Time zone whose midnights divide days, weeks and months. */
  timeZone: string;
  /** Uses what was known at this time; open charges count until then. */
  asOf: Date;
}

/** One sum. */
export interface SpendSum {
  /** Value of the first grouping, `2026-11` for a month; null: the entries have none. */
  key: string | null;
  /** Value of the second grouping; null: the entries have none, or there is no second grouping. */
  subkey: string | null;
  category: SpendCategory;
  basis: SpendBasis;
  /** US dollars, exact. */
  amountUsd: string;
  entries: number;
}

/** A sum over all groups. */
export type SpendTotal = Pick<SpendSum, 'category' | 'basis' | 'amountUsd' | 'entries'>;

/** Days after the end of a month from which a complete sync closes it. */
export const closingDays = 3;

/** Whether a zone name means the same to Node and PostgreSQL: plain offsets have opposite signs. */
export const isNamedZone = (name: string): boolean => /^[A-Za-z]/.test(name);
