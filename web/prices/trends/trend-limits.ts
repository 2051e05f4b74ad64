import type { DrawnPoint, DrawnSeries } from './trend-datasets.ts';

/** The ends of the price axis, without outliers, and the drawn values that are beyond them. */
export interface TrendLimits {
  min: number;
  max: number;
  outside: number[];
  /** When a line or a band goes on above the axis, ms. */
  above: number[];
}

/** As with offers: beyond this many times the usual price, or its inverse, is an outlier. */
const outlierFactor = 4;
/** The top of a band is far off beyond this many times its usual distance from the median. */
const bandFactor = 2;

/**
 * Returns the ends of the axis for these lines: what is drawn, but for values far from the middle median of their line.
 * List prices are kept, as they are for comparison.
 * null: no line has a price.
 */
export function trendLimits(series: readonly DrawnSeries<DrawnPoint>[]): TrendLimits | null {
  const own = series.filter(({ faint }) => !faint);
  const usual = own.flatMap(({ points }) => middleMedian(points) ?? []);
  if (usual.length === 0) return null;
  const widest = { least: Math.min(...usual) / outlierFactor, most: Math.max(...usual) * outlierFactor };
  const isUsual = (value: number): boolean => value >= widest.least && value <= widest.most;
  const limits: TrendLimits = {
    min: Number.POSITIVE_INFINITY,
    max: Number.NEGATIVE_INFINITY,
    outside: [],
    above: [],
  };
  for (const line of series) {
    const maxTop = usualTop(line.points) * bandFactor;
    for (const { value, top, t } of drawnValues(line, own.length === 1)) {
      if (!line.thin && (!isUsual(value) || top > maxTop)) {
        limits.outside.push(value);
        if (value > widest.least && t !== undefined && !limits.above.includes(t)) limits.above.push(t);
        continue;
      }
      limits.min = Math.min(limits.min, value);
      limits.max = Math.max(limits.max, value);
    }
  }
  if (limits.min < limits.max) return limits;
  return { ...limits, min: 0.95 * limits.min, max: 1.05 * limits.max };
}

/** Returns the median in the middle of a line's; null: it has none. */
const middleMedian = (points: readonly DrawnPoint[]): number | null =>
  middleOf(points.flatMap(({ median }) => median ?? []));

const middleOf = (values: readonly number[]): number | null =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;

/** Returns how many times its median the top of a point's band is; 0: it has none. */
const topOf = ({ median, p90 }: DrawnPoint): number =>
  median === null || p90 === null || median <= 0 ? 0 : p90 / median;

/** Returns what `topOf` is in the middle of a line's points. */
const usualTop = (points: readonly DrawnPoint[]): number => middleOf(points.map(topOf)) ?? 0;

interface DrawnValue {
  value: number;
  /** Of the top of a band, how many times its median it is; 0: it is another value. */
  top: number;
  /** ms; undefined: it is expected. */
  t?: number | undefined;
}

function* drawnValues(
  { points, times, faint, expected = [] }: DrawnSeries<DrawnPoint>,
  isOnly: boolean,
): Generator<DrawnValue> {
  for (const [at, point] of points.entries()) {
    const t = times[at];
    const { median, p10, p90, min } = point;
    for (const value of faint ? [median] : [median, p10, isOnly ? min : null]) {
      if (value !== null) yield { value, top: 0, t };
    }
    if (!faint && p90 !== null) yield { value: p90, top: topOf(point), t };
  }
  for (const { low, high } of expected) yield* [low, high].map((value) => ({ value, top: 0 }));
}
