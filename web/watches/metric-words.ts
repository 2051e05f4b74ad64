/** What a price rule can compare, as the API names it; the first unless chosen. */
export const ruleMetrics = ['usdPerGpuHour', 'usdPerHour', 'allInUsdPerHour', 'usdPerDlperfHour'] as const;

/** Units of the API as a reader writes them. */
const unitNames: Readonly<Record<string, string>> = {
  'USD/GPU/hour': '$/GPU-hour',
  'USD/hour': '$/hour',
  'USD/DLPerf/hour': '$/dlperf-hour',
  'USD/GB/hour': '$/GB-hour',
  'USD/TFLOPS/hour': '$/TFLOPS-hour',
};

/** What each metric is called where it is chosen. */
export const metricLabels: Readonly<Record<string, string>> = {
  usdPerGpuHour: 'price per GPU, $/GPU-hour',
  usdPerHour: 'price of the whole offer, $/hour',
  allInUsdPerHour: 'all-in price, $/hour',
  usdPerDlperfHour: 'cost per dlperf, $/dlperf-hour',
};

/** The unit of a metric, beside a threshold; that of the default where a rule names none. */
const metricUnits: Readonly<Record<string, string>> = {
  usdPerGpuHour: '$/GPU-hour',
  usdPerHour: '$/hour',
  allInUsdPerHour: '$/hour, all-in',
  usdPerDlperfHour: '$/dlperf-hour',
  usdPerGbVramHour: '$/GB-hour',
  usdPerTflopHour: '$/TFLOPS-hour',
};

/** The unit of a rule's metric. */
export const unitOfMetric = (metric: unknown): string =>
  metricUnits[String(metric ?? ruleMetrics[0])] ?? String(metric);

/** A unit of the API in words; empty: there is none. */
const unitWords = (unit: string | null): string => (unit === null ? '' : (unitNames[unit] ?? unit));

/** What a rule compared with: a percentile is one of its pool, anything else is in the rule's unit. */
export const baselineWithUnit = (kind: string, baseline: number | null, unit: string | null): string =>
  valueWithUnit(baseline, kind === 'percentileBelow' ? 'th percentile' : unit);

/** A number with its unit, to six significant digits; `–` for null. */
export function valueWithUnit(value: number | null, unit: string | null): string {
  if (value === null) return '–';
  return `${Number(value.toPrecision(6))} ${unitWords(unit)}`.trim();
}
