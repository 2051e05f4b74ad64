import definitions from './definitions.json' with { type: 'json' };
import { sentenceCase } from './sentence-case.ts';

/** A price metric of the API; `npm run openapi` writes them from the table of metrics. */
export interface Metric {
  name: string;
  /** Label where it is chosen. */
  label: string;
  /** Unit for readers, and in the API. */
  unit: string;
  apiUnit: string;
}

const metrics: readonly Metric[] = definitions.metrics;

/** Names of the metrics of trends, rankings or rules, the default first. */
export const { metricNames } = definitions;

/** Default metrics. */
export const [defaultMetric = ''] = metricNames.trends;
export const [defaultRanking = ''] = metricNames.rankings;

/** Returns the label of a metric; its name if it is unknown. */
export const metricLabel = (name: string): string => find(name)?.label ?? name;

/** Returns the unit of a metric. */
export const metricUnit = (name: string): string => find(name)?.unit ?? name;

/** Metrics to choose from, each with its unit. */
export const metricOptions = (use: 'trends' | 'rules'): { value: string; label: string }[] =>
  metricNames[use].map((value) => ({
    value,
    label: `${sentenceCase(metricLabel(value))}, ${metricUnit(value)}`,
  }));

/** Returns a unit of the API in words; empty: none. */
export const unitWords = (unit: string | null): string =>
  unit === null ? '' : (metrics.find(({ apiUnit }) => apiUnit === unit)?.unit ?? unit);

const find = (name: string): Metric | undefined => metrics.find((metric) => metric.name === name);
