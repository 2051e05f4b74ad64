import { formatLimit, formatUsd } from '../core/figures.ts';
import { defaultMetric, metricUnit, unitWords } from '../core/metrics.ts';

/** Returns the unit of a rule's metric; the default metric's if a rule names none. */
export const unitOfMetric = (metric: unknown): string => metricUnit(String(metric ?? defaultMetric));

/** Returns `per GPU-hour`. */
export const perUnit = (metric: unknown): string => unitOfMetric(metric).replace('$/', 'per ');

/** Formats a limit in a rule's metric, `$0.30/GPU-hour`. */
export const amountInMetric = (usd: unknown, metric: unknown): string =>
  unitOfMetric(metric).replace(/\$/, () => formatLimit(Number(usd)));

/** Names what a kind of rule compares with: its own limit, or what was before. */
export const baselineName = (kind: string): string =>
  ['lowestInDays', 'changePercent'].includes(kind) ? 'Baseline' : 'Limit';

/** Returns what a rule compared with: a share of its pool, a limit as it was typed, or a value in the rule's unit. */
export function baselineWithUnit(kind: string, baseline: number | null, unit: string | null): string {
  if (baseline === null) return valueWithUnit(baseline, unit);
  if (kind === 'percentileBelow') return `cheapest ${valueWithUnit(baseline, '%')}`;
  return kind === 'priceBelow'
    ? unitWords(unit).replace(/\$/, () => formatLimit(baseline))
    : valueWithUnit(baseline, unit);
}

/** Formats a number with its unit: a price by the page's rule, `$0.4000/GPU-hour`, else `5%`, `3 offers`; `–` for null. */
export function valueWithUnit(value: number | null, unit: string | null): string {
  if (value === null) return '–';
  const [figure, shown] = [String(Number(value.toPrecision(6))), unitWords(unit)];
  if (shown.startsWith('$')) return `${formatUsd(value)}${shown.slice(1)}`;
  return shown === '%' ? `${figure}%` : `${figure} ${shown}`.trim();
}
