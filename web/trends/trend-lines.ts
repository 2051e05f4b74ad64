import type { Bucket, SupplyPoint, TrendPoint } from '../core/api.ts';

/** The lines of a trend chart at the same moments, NaN wherever data is missing. */
export interface TrendLines {
  /** Ascending, ms. */
  x: Float64Array;
  median: Float64Array;
  min: Float64Array;
  p10: Float64Array;
  p90: Float64Array;
  /** Physical GPUs. */
  supply: Float64Array;
}

const bucketMs: Record<Bucket, number> = {
  book: 0,
  '1h': 3_600_000,
  '1d': 86_400_000,
  '1w': 7 * 86_400_000,
};
/** Books come a little early or late; twice the usual distance is always a missing one. */
const slack = 1.8;

/**
 * Indexes of points that begin a new line, because buckets are missing before them: farther from the point
 * before than the bucket and than `slack` times the usual distance thereabouts. So a market crawled every six
 * hours keeps its line over hourly buckets, a change of the rhythm keeps it too, and a missed book breaks it.
 */
export function findBreaks(times: readonly number[], bucket: Bucket): Set<number> {
  const breaks = new Set<number>();
  const intervals = new Float64Array(Math.max(0, times.length - 1));
  for (let index = 0; index < intervals.length; index += 1) {
    intervals[index] = (times[index + 1] as number) - (times[index] as number);
  }
  const shortEnough = slack * bucketMs[bucket];
  intervals.forEach((interval, index) => {
    if (interval <= shortEnough) return;
    // Weighing sorts, and nearly all intervals are ordinary: at once too short for any usual distance.
    const shortest = shortestAround(intervals, index);
    if (shortest !== null && interval <= slack * shortest) return;
    const before = [...intervals.subarray(Math.max(0, index - sideLength), index)];
    const after = [...intervals.subarray(index + 1, index + 1 + sideLength)];
    const usual = usualInterval(before, after) ?? (bucket === 'book' ? interval : bucketMs[bucket]);
    if (interval > slack * Math.max(usual, bucketMs[bucket])) breaks.add(index + 1);
  });
  return breaks;
}

const sideLength = 3;

function shortestAround(intervals: Float64Array, index: number): number | null {
  let shortest: number | null = null;
  for (let near = index - sideLength; near <= index + sideLength; near += 1) {
    const interval = near === index ? undefined : intervals[near];
    if (interval !== undefined && (shortest === null || interval < shortest)) shortest = interval;
  }
  return shortest;
}

// The slower of the rhythms on both sides; one interval alone may itself be a gap and is no rhythm.
function usualInterval(before: number[], after: number[]): number | undefined {
  const sides = [before, after].filter((side) => side.length > 1);
  const medians = (sides.length > 0 ? sides : [before, after]).flatMap((side) => middle(side) ?? []);
  return medians.length === 0 ? undefined : Math.max(...medians);
}

/** The middle value, of an even number the lower one. */
function middle(values: number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
}

/** The lines of points that are drawn at `times`, which ascend, broken where data is missing. */
export function trendLines(
  points: readonly TrendPoint[],
  times: readonly number[],
  bucket: Bucket,
): TrendLines {
  const { x, line } = lineMaker(points, times, bucket);
  return {
    x,
    median: line(({ median }) => median),
    min: line(({ min }) => min),
    p10: line(({ p10 }) => p10),
    p90: line(({ p90 }) => p90),
    supply: line(({ physicalGpus }) => physicalGpus),
  };
}

/** The line of physical GPUs that several types offer together, broken where one of them is missing. */
export function supplyLine(
  points: readonly SupplyPoint[],
  times: readonly number[],
  bucket: Bucket,
): Pick<TrendLines, 'x' | 'supply'> {
  const { x, line } = lineMaker(points, times, bucket);
  return { x, supply: line(({ physicalGpus }) => physicalGpus) };
}

function lineMaker<T>(points: readonly T[], times: readonly number[], bucket: Bucket) {
  const breaks = findBreaks(times, bucket);
  const x = new Float64Array(points.length + breaks.size);
  // Of each place the index of its point; -1: a break.
  const places = new Int32Array(x.length);
  let place = 0;
  for (let index = 0; index < points.length; index += 1) {
    const time = times[index] ?? Number.NaN;
    if (breaks.has(index)) {
      x[place] = (time + (times[index - 1] ?? time)) / 2;
      places[place] = -1;
      place += 1;
    }
    x[place] = time;
    places[place] = index;
    place += 1;
  }
  const line = (heightOf: (point: T) => number | null): Float64Array => {
    const y = new Float64Array(x.length);
    for (let place = 0; place < y.length; place += 1) {
      const point = points[places[place] as number];
      y[place] = point === undefined ? Number.NaN : (heightOf(point) ?? Number.NaN);
    }
    return y;
  };
  return { x, line };
}

/** Index of the point nearest in time; -1 when there is none. `times` ascends. */
export function nearestIndex(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const half = Math.floor((low + high) / 2);
    const distance = (index: number) => Math.abs((times[index] ?? Number.POSITIVE_INFINITY) - time);
    if ((times[half] ?? 0) < time && distance(half + 1) <= distance(half)) low = half + 1;
    else high = half;
  }
  return high;
}

/**
 * The point of a line at a moment: the nearest, as long as it is no farther than the next one could be; undefined in
 * a gap and beyond its ends.
 */
export function pointAt<T>(
  points: readonly T[],
  times: readonly number[],
  bucket: Bucket,
  time: number,
): T | undefined {
  const nearest = nearestIndex(times, time);
  const near = times.slice(Math.max(0, nearest - sideLength), nearest + sideLength + 1);
  const usual = middle(near.slice(1).map((each, index) => each - (near[index] ?? each)));
  const farthest = usual === undefined ? Number.POSITIVE_INFINITY : slack * Math.max(usual, bucketMs[bucket]);
  return Math.abs((times[nearest] ?? Number.NaN) - time) <= farthest ? points[nearest] : undefined;
}
