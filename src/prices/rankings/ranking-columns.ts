import type { FieldName, FieldsWith } from '../../core/offer-fields.ts';

/** How a column shows a field: its header, the decimals of a number, or that it is a share. */
export interface ColumnSpec {
  label: string;
  decimals?: number;
  isShare?: true;
  /** Unit on the page, and how many of the field's units one is. @default 1 */
  unit?: string;
  scale?: number;
  /** Hours that the page shows as a length of time, `2 days 16 h`. */
  isLength?: true;
  /** Which values are better; unset: none is. */
  best?: 'high' | 'low';
  /** Left out by the terminal, and by the page until it is chosen. */
  isExtra?: true;
}

/**
 * Fields that rankings show besides names and prices, in the response, the export and on the page: one line per column.
 */
export const rankingColumns = {
  dlperf: { label: 'DLPerf', decimals: 1, best: 'high' },
  // Cards are sold by GB of 1024 MB.
  gpuRamMb: { label: 'VRAM per GPU', unit: 'GB', scale: 1024, decimals: 0, best: 'high', isExtra: true },
  cpuName: { label: 'CPU', isExtra: true },
  cpuCores: { label: 'CPU cores', unit: 'whole machine', decimals: 0, best: 'high', isExtra: true },
  cpuRamMb: { label: 'RAM', unit: 'GB', scale: 1000, decimals: 0, best: 'high', isExtra: true },
  diskSpaceGb: { label: 'Disk', unit: 'GB', decimals: 0, best: 'high', isExtra: true },
  inetDown: { label: 'Download', unit: 'Mbit/s', decimals: 0, best: 'high', isExtra: true },
  inetUp: { label: 'Upload', unit: 'Mbit/s', decimals: 0, best: 'high', isExtra: true },
  inetDownUsdPerGb: { label: 'Download price', unit: '$/GB', decimals: 4, best: 'low', isExtra: true },
  inetUpUsdPerGb: { label: 'Upload price', unit: '$/GB', decimals: 4, best: 'low', isExtra: true },
  maxDurationHours: { label: 'Host ends it in', isLength: true, best: 'high', isExtra: true },
  reliability: { label: 'Reliability', isShare: true, best: 'high' },
  verification: { label: 'Verification' },
  country: { label: 'Country' },
} as const satisfies { [Name in Exclude<FieldName, FieldsWith<{ isShownOnly: true }>>]?: ColumnSpec };

export type RankingColumn = keyof typeof rankingColumns;
export const rankingColumnNames = Object.keys(rankingColumns) as RankingColumn[];
