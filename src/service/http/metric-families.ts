import type { Counter, Gauge } from 'prom-client';

type Labels = Record<string, string | null>;

/** One metric with its samples. A metric without samples or with an unknown value has no series. */
export interface MetricFamily {
  /** Named by the conventions of Prometheus: unit last, `_total` for counters. */
  name: string;
  help: string;
  kind: 'gauge' | 'counter';
  /** A label with the value null is left out. */
  samples: (readonly [labels: Labels, value: number | null])[];
}

/** A gauge: its value can go up and down. */
export const gauge = (name: string, help: string, samples: MetricFamily['samples']): MetricFamily => ({
  kind: 'gauge',
  name,
  help,
  samples,
});

/** A counter: its value only goes up. */
export const counter = (name: string, help: string, samples: MetricFamily['samples']): MetricFamily => ({
  kind: 'counter',
  name,
  help,
  samples,
});

/** Returns the families in Prometheus' text format. */
export async function renderMetrics(families: readonly MetricFamily[]): Promise<string> {
  const prometheus = await import('prom-client');
  const registry = new prometheus.Registry();
  for (const { kind, name, help, samples } of families) {
    const known = samples.flatMap(([labels, value]) => (value === null ? [] : [{ labels, value }]));
    if (known.length === 0) continue;
    const labelNames = [...new Set(known.flatMap(({ labels }) => Object.keys(labels)))];
    const common = { name, help, labelNames, registers: [registry] };
    const add =
      kind === 'gauge' ? setter(new prometheus.Gauge(common)) : adder(new prometheus.Counter(common));
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
