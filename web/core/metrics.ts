import definitions from './definitions.json' with { type: 'json' };
import { sentenceCase } from './sentence-case.ts';

/** A price figure of the API, as `npm run openapi` writes it from the table of metrics. */
export interface Metric {
  name: string;
  /** What it is called where it is chosen. */
  label: string;
  /** As a reader writes it, and as the API does. */
  unit: string;
  apiUnit: string;
}

const metrics: readonly Metric[] = definitions.metrics;

/** The names of the metrics that trends, rankings or rules can have, the default first. */
export const { metricNames } = definitions;

/** What is taken where no metric is named. */
export const [defaultMetric = ''] = metricNames.trends;
export const [defaultRanking = ''] = metricNames.rankings;

/** What a metric is called; one that is not known: its name. */
export const metricLabel = (name: string): string => find(name)?.label ?? name;

/** The unit of a metric. */
export const metricUnit = (name: string): string => find(name)?.unit ?? name;

/** Metrics to choose from, each with its unit. */
export const metricOptions = (use: 'trends' | 'rules'): { value: string; label: string }[] =>
  metricNames[use].map((value) => ({
    value,
    label: `${sentenceCase(metricLabel(value))}, ${metricUnit(value)}`,
  }));

/** A unit of the API in words; empty: there is none. */
export const unitWords = (unit: string | null): string =>
  unit === null ? '' : (metrics.find(({ apiUnit }) => apiUnit === unit)?.unit ?? unit);

const find = (name: string): Metric | undefined => metrics.find((metric) => metric.name === name);
