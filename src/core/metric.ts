import type { NumberField } from './offer-columns.ts';

/** A price figure: a price of an offer over something of it. */
export interface MetricSpec {
  /** The price with the profile's storage, or that of the whole job with traffic and idle time; $/hour. */
  price: 'hourly' | 'allIn';
  /** What it is divided by: the product of these, each in `over` of its own units. Nothing: the price itself. */
  per: readonly { field: NumberField; over?: number; missing: string }[];
  /** In answers and alerts. */
  unit: string;
  /** On the page: what it is called where it is chosen, and its unit. */
  label: string;
  shownUnit: string;
  /** Where it can be asked for. */
  uses: readonly ('trends' | 'rankings' | 'rules')[];
}

/** Every metric, in the order of documents and forms: one line a metric. Source: docs/meaning.md#prices-and-metrics. */
export const metrics = {
  usdPerGpuHour: {
    price: 'hourly',
    per: [{ field: 'numGpus', missing: 'no GPU' }],
    unit: 'USD/GPU/hour',
    label: 'price per GPU',
    shownUnit: '$/GPU-hour',
    uses: ['trends', 'rankings', 'rules'],
  },
  usdPerHour: {
    price: 'hourly',
    per: [],
    unit: 'USD/hour',
    label: 'price of the whole offer',
    shownUnit: '$/hour',
    uses: ['trends', 'rules'],
  },
  usdPerDlperfHour: {
    price: 'hourly',
    per: [{ field: 'dlperf', missing: 'no dlperf' }],
    unit: 'USD/DLPerf/hour',
    label: 'cost per dlperf',
    shownUnit: '$/dlperf-hour',
    uses: ['trends', 'rankings', 'rules'],
  },
  allInUsdPerHour: {
    price: 'allIn',
    per: [],
    unit: 'USD/hour',
    label: 'all-in price',
    shownUnit: 'all-in $/hour',
    uses: ['trends', 'rankings', 'rules'],
  },
  usdPerGbVramHour: {
    price: 'hourly',
    // A GB of VRAM is 1000 MB, as the market counts it.
    per: [
      { field: 'gpuRamMb', over: 1000, missing: 'no VRAM' },
      { field: 'numGpus', missing: 'no GPU' },
    ],
    unit: 'USD/GB/hour',
    label: 'price per GB of VRAM',
    shownUnit: '$/GB-hour',
    uses: ['rankings'],
  },
  usdPerTflopHour: {
    price: 'hourly',
    per: [{ field: 'totalTflops', missing: 'no TFLOPS' }],
    unit: 'USD/TFLOPS/hour',
    label: 'price per TFLOP',
    shownUnit: '$/TFLOPS-hour',
    uses: ['rankings'],
  },
} as const satisfies Record<string, MetricSpec>;

export type Metric = keyof typeof metrics;
type MetricsOf<Use extends MetricSpec['uses'][number]> = {
  [Name in Metric]: Use extends (typeof metrics)[Name]['uses'][number] ? Name : never;
}[Metric];

/** All metrics of the table, in its order. */
export const metricEntries = Object.entries(metrics) as [Metric, MetricSpec][];

/** What is taken where no metric is named: by trends and rules, and by rankings. */
export const defaultMetric = 'usdPerGpuHour';
export const defaultRanking = 'usdPerDlperfHour';

/** Names of the metrics that can be asked for somewhere, the default first. */
function metricsOf<Use extends MetricSpec['uses'][number]>(use: Use, first: Metric): MetricsOf<Use>[] {
  const names = metricEntries.filter(([, { uses }]) => uses.includes(use)).map(([name]) => name);
  return [first, ...names.filter((name) => name !== first)] as MetricsOf<Use>[];
}

export const trendMetrics = metricsOf('trends', defaultMetric);
export type TrendMetric = MetricsOf<'trends'>;

/** What offers can be ranked by; the lowest is the best. */
export const rankingMetrics = metricsOf('rankings', defaultRanking);
export type RankingMetric = MetricsOf<'rankings'>;

/** What a price rule can watch. Source: docs/meaning.md#rules-and-alerts. */
export const ruleMetrics = metricsOf('rules', defaultMetric);

/** One job's use of a machine, for all-in prices. Source: docs/meaning.md#prices-and-metrics. */
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
