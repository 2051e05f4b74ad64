export const trendMetrics = ['usdPerGpuHour', 'usdPerHour', 'usdPerDlperfHour', 'allInUsdPerHour'] as const;
export type TrendMetric = (typeof trendMetrics)[number];

/** The unit of each price figure, as answers state it. */
export const metricUnits: Record<TrendMetric, string> = {
  usdPerGpuHour: 'USD/GPU/hour',
  usdPerHour: 'USD/hour',
  usdPerDlperfHour: 'USD/DLPerf/hour',
  allInUsdPerHour: 'USD/hour',
};

/** One job's use of a machine, for all-in prices. Source: semantics.md, Prices. */
export interface UsageProfile {
  /** Disk, GB. @default 8 */
  storageGb: number;
  /** Traffic in all, GB. @default 0 */
  downGb: number;
  upGb: number;
  /** Hours running, above 0. @default 720 */
  runningHours: number;
  /** Hours stopped, when only the disk costs. @default 0 */
  stoppedHours: number;
}

export const defaultProfile: UsageProfile = {
  storageGb: 8,
  downGb: 0,
  upGb: 0,
  runningHours: 720,
  stoppedHours: 0,
};

export const rankingFigures = [
  'usdPerDlperfHour',
  'usdPerGpuHour',
  'allInUsdPerHour',
  'usdPerGbVramHour',
  'usdPerTflopHour',
] as const;
/** What offers can be ranked by; the lowest is the best. */
export type RankingFigure = (typeof rankingFigures)[number];

/** The unit of each ranking's value, as answers state it. A GB of VRAM is 1000 MB, as the market counts it. */
export const rankingUnits: Record<RankingFigure, string> = {
  usdPerDlperfHour: metricUnits.usdPerDlperfHour,
  usdPerGpuHour: metricUnits.usdPerGpuHour,
  allInUsdPerHour: metricUnits.allInUsdPerHour,
  usdPerGbVramHour: 'USD/GB/hour',
  usdPerTflopHour: 'USD/TFLOPS/hour',
};
