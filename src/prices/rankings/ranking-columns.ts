import type { FieldName, FieldsWith } from '../../core/offer-fields.ts';

/** How a column shows a field: its header, the decimals of a number, or that it is a share. */
export interface ColumnSpec {
  label: string;
  decimals?: number;
  isShare?: true;
}

/**
 * Fields that rankings show besides names and prices, in the response, the export and on the page: one line per column.
 */
export const rankingColumns = {
  dlperf: { label: 'DLPerf', decimals: 1 },
  reliability: { label: 'Reliability', isShare: true },
  verification: { label: 'Verification' },
  country: { label: 'Country' },
} as const satisfies { [Name in Exclude<FieldName, FieldsWith<{ isShownOnly: true }>>]?: ColumnSpec };

export type RankingColumn = keyof typeof rankingColumns;
export const rankingColumnNames = Object.keys(rankingColumns) as RankingColumn[];
