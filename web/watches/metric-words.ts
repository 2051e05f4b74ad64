import { defaultMetric, metricUnit, unitWords } from '../core/metrics.ts';

/** Returns the unit of a rule's metric; the default metric's if a rule names none. */
export const unitOfMetric = (metric: unknown): string => metricUnit(String(metric ?? defaultMetric));

/** Returns the limit that a rule compared with: a percentile of its pool, or a value in the rule's unit. */
export const baselineWithUnit = (kind: string, baseline: number | null, unit: string | null): string =>
  valueWithUnit(baseline, kind === 'percentileBelow' ? 'th percentile' : unit);

/** Formats a number with its unit, to six significant digits; `–` for null. */
export function valueWithUnit(value: number | null, unit: string | null): string {
  if (value === null) return '–';
  return `${Number(value.toPrecision(6))} ${unitWords(unit)}`.trim();
}
