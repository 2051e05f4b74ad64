/** The observations of one set of labels. */
export interface HistogramSeries {
  labels: Record<string, string>;
  /** Observations up to each bound, each with those of the lower bounds. */
  counts: number[];
  sum: number;
  count: number;
}

/** Counts durations by how long they took, as Prometheus' histograms do. */
export interface Histogram {
  /** Upper bounds in seconds, ascending. */
  bounds: readonly number[];
  observe: (labels: Record<string, string>, seconds: number) => void;
  series: () => readonly HistogramSeries[];
}

/** Returns an empty histogram. */
export function createHistogram(bounds: readonly number[]): Histogram {
  const all = new Map<string, HistogramSeries>();
  return {
    bounds,
    observe: (labels, seconds) => {
      const key = Object.values(labels).join('\n');
      const series = all.get(key) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 };
      all.set(key, series);
      series.sum += seconds;
      series.count += 1;
      series.counts = series.counts.map((count, at) => count + Number(seconds <= (bounds[at] ?? 0)));
    },
    series: () => [...all.values()],
  };
}
