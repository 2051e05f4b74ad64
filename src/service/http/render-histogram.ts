import type { Histogram } from '../../core/histogram.ts';

/** Returns a histogram in Prometheus' text format; empty: nothing was observed. */
export function renderHistogram(name: string, help: string, { bounds, series }: Histogram): string {
  const lines = series().flatMap(({ labels, counts, sum, count }) => {
    const line = (end: string, value: number, others: Record<string, string> = {}): string =>
      `${name}_${end}${labelText({ ...labels, ...others })} ${value}`;
    return [
      ...bounds.map((bound, at) => line('bucket', counts[at] ?? 0, { le: String(bound) })),
      line('bucket', count, { le: '+Inf' }),
      line('sum', sum),
      line('count', count),
    ];
  });
  if (lines.length === 0) return '';
  return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines].join('\n');
}

function labelText(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`,
  );
  return `{${pairs.join(',')}}`;
}
