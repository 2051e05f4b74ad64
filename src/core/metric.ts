import type { NumberField } from './offer-columns.ts';
import { formatLimit } from './usd-words.ts';

/** A price metric: a price of an offer divided by something of it. */
export interface MetricSpec {
  /** The price with the profile's storage ($/hour), or also with its traffic and idle time. */
  price: 'hourly' | 'allIn';
  /** The divisors, each in units of `over`; empty: the price itself. */
  per: readonly { field: NumberField; over?: number; missing: string }[];
  /** Unit in API responses and alerts. */
  unit: string;
  /** Label and unit on the page. */
  label: string;
  shownUnit: string;
  /** Where the metric can be requested. */
  uses: readonly ('trends' | 'rankings' | 'rules')[];
}

/** Every metric, one line each, in the order of documents and forms. Source: docs/meaning.md#prices-and-metrics. */
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
    per: [{ field: 'dlperf', missing: 'no DLPerf score' }],
    unit: 'USD/DLPerf/hour',
    label: 'cost per DLPerf',
    shownUnit: '$/DLPerf-hour',
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

/** Returns a unit of the API as people read it: `$/GPU-hour` for `USD/GPU/hour`. Other units stay as they are. */
export const unitWords = (unit: string): string =>
  metricEntries.find(([, metric]) => metric.unit === unit)?.[1].shownUnit ?? unit;

/** Formats a number with its unit to six significant digits, dollars with at least two decimals: `$0.40/GPU-hour`, `5%`, `3 offers`; `none` for null. */
export function valueWithUnit(value: number | null, unit: string | null): string {
  if (value === null) return 'none';
  const shown = unitWords(unit ?? '');
  if (shown.startsWith('$')) return `${formatLimit(value)}${shown.slice(1)}`;
  const figure = String(Number(value.toPrecision(6)));
  return shown === '%' ? `${figure}%` : `${figure} ${shown}`.trim();
}

/** Default metric of trends and rules, and of rankings. */
export const defaultMetric = 'usdPerGpuHour';
export const defaultRanking = 'usdPerDlperfHour';

/** Names of the metrics that can be requested somewhere, the default first. */
function metricsOf<Use extends MetricSpec['uses'][number]>(use: Use, first: Metric): MetricsOf<Use>[] {
  const names = metricEntries.filter(([, { uses }]) => uses.includes(use)).map(([name]) => name);
  return [first, ...names.filter((name) => name !== first)] as MetricsOf<Use>[];
}

export const trendMetrics = metricsOf('trends', defaultMetric);
export type TrendMetric = MetricsOf<'trends'>;

/** Metrics that offers can be ranked by; the lowest value is the best. */
export const rankingMetrics = metricsOf('rankings', defaultRanking);
export type RankingMetric = MetricsOf<'rankings'>;

/** Metrics that a price rule can watch. Source: docs/meaning.md#rules-and-alerts. */
export const ruleMetrics = metricsOf('rules', defaultMetric);

/** How a machine will be used, for all-in prices. Source: docs/meaning.md#prices-and-metrics. */
export interface UsageProfile {
  /** Disk, GB. @default 8 */
  storageGb: number;
  /** Total traffic, GB. @default 0 */
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
