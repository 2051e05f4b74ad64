import { Counter, Gauge, Registry } from 'prom-client';

type Labels = Record<string, string | null>;

/** One metric with its samples. Without samples, or where a value is not known, there is no series. */
export interface MetricFamily {
  /** By the conventions of Prometheus: unit last, `_total` for counters. */
  name: string;
  help: string;
  kind: 'gauge' | 'counter';
  /** A label that is null is left out of its series. */
  samples: (readonly [labels: Labels, value: number | null])[];
}

/** A value that can go up and down. */
export const gauge = (name: string, help: string, samples: MetricFamily['samples']): MetricFamily => ({
  kind: 'gauge',
  name,
  help,
  samples,
});

/** A value that only goes up. */
export const counter = (name: string, help: string, samples: MetricFamily['samples']): MetricFamily => ({
  kind: 'counter',
  name,
  help,
  samples,
});

/** The families in Prometheus' text format. */
export async function renderMetrics(families: readonly MetricFamily[]): Promise<string> {
  const registry = new Registry();
  for (const { kind, name, help, samples } of families) {
    const known = samples.flatMap(([labels, value]) => (value === null ? [] : [{ labels, value }]));
    if (known.length === 0) continue;
    const labelNames = [...new Set(known.flatMap(({ labels }) => Object.keys(labels)))];
    const common = { name, help, labelNames, registers: [registry] };
    const add = kind === 'gauge' ? setter(new Gauge(common)) : adder(new Counter(common));
    for (const { labels, value } of known) add(withoutNulls(labels), value);
  }
  return await registry.metrics();
}

const setter =
  (metric: Gauge) =>
  (labels: Record<string, string>, value: number): void =>
    metric.set(labels, value);

const adder =
  (metric: Counter) =>
  (labels: Record<string, string>, value: number): void =>
    metric.inc(labels, value);

const withoutNulls = (labels: Labels): Record<string, string> =>
  Object.fromEntries(
    Object.entries(labels).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
