import { defaultMetric, metricUnit, unitWords } from '../core/metrics.ts';

/** The unit of a rule's metric; that of the default where a rule names none. */
export const unitOfMetric = (metric: unknown): string => metricUnit(String(metric ?? defaultMetric));

/** What a rule compared with: a percentile is one of its pool, anything else is in the rule's unit. */
export const baselineWithUnit = (kind: string, baseline: number | null, unit: string | null): string =>
  valueWithUnit(baseline, kind === 'percentileBelow' ? 'th percentile' : unit);

/** A number with its unit, to six significant digits; `–` for null. */
export function valueWithUnit(value: number | null, unit: string | null): string {
  if (value === null) return '–';
  return `${Number(value.toPrecision(6))} ${unitWords(unit)}`.trim();
}
