import type { TrendPoint } from '../../core/api.ts';

/** Statistics of the medians shown; null if there is none. */
export interface TrendStatistics {
  lowest: number | null;
  mean: number | null;
  highest: number | null;
  /** From the first median to the last, as a share of the first. */
  change: number | null;
}

/** Returns lowest, mean and highest median of the points, each counting once, and the change over them. */
export function trendStatistics(points: readonly TrendPoint[]): TrendStatistics {
  const medians = points.flatMap(({ median }) => (median === null ? [] : [median]));
  const first = medians[0];
  const last = medians.at(-1);
  if (first === undefined || last === undefined) {
    return { lowest: null, mean: null, highest: null, change: null };
  }
  return {
    lowest: medians.reduce((a, b) => Math.min(a, b)),
    mean: medians.reduce((sum, median) => sum + median, 0) / medians.length,
    highest: medians.reduce((a, b) => Math.max(a, b)),
    change: first === 0 || medians.length < 2 ? null : last / first - 1,
  };
}
