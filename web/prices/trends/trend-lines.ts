import type { Bucket, SupplyPoint, TrendPoint } from '../../core/api.ts';

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
 * Indexes, ascending, of points that begin a new line, because buckets are missing before them: farther from the point
 * before than the bucket and than `slack` times the usual distance thereabouts. So a market crawled every six
 * hours keeps its line over hourly buckets, a change of the rhythm keeps it too, and a missed book breaks it.
 */
export function findBreaks(times: readonly number[], bucket: Bucket): number[] {
  const breaks: number[] = [];
  const intervals = new Float64Array(Math.max(0, times.length - 1));
  for (let index = 0; index < intervals.length; index += 1) {
    intervals[index] = (times[index + 1] as number) - (times[index] as number);
  }
  const shortEnough = slack * bucketMs[bucket];
  for (let index = 0; index < intervals.length; index += 1) {
    const interval = intervals[index] as number;
    if (interval <= shortEnough) continue;
    // Weighing sorts, and nearly all intervals are ordinary: at once too short for any usual distance.
    const shortest = shortestAround(intervals, index);
    if (shortest !== null && interval <= slack * shortest) continue;
    const before = [...intervals.subarray(Math.max(0, index - sideLength), index)];
    const after = [...intervals.subarray(index + 1, index + 1 + sideLength)];
    const usual = usualInterval(before, after) ?? (bucket === 'book' ? interval : bucketMs[bucket]);
    if (interval > slack * Math.max(usual, bucketMs[bucket])) breaks.push(index + 1);
  }
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

/**
 * The lines of points that are drawn at `times`, which ascend, broken where data is missing. Here as in all that makes a
 * drawing: plain loops over plain numbers, because a page draws ten thousand points before anything is optimised.
 */
export function trendLines(
  points: readonly TrendPoint[],
  times: readonly number[],
  bucket: Bucket,
): TrendLines {
  const { x, places } = placesOf(times, bucket);
  const [median, min, p10, p90, supply] = [gaps(x), gaps(x), gaps(x), gaps(x), gaps(x)];
  for (let index = 0; index < places.length; index += 1) {
    const place = places[index] as number;
    const point = points[index] as TrendPoint;
    median[place] = point.median ?? Number.NaN;
    min[place] = point.min ?? Number.NaN;
    p10[place] = point.p10 ?? Number.NaN;
    p90[place] = point.p90 ?? Number.NaN;
    supply[place] = point.physicalGpus;
  }
  return { x, median, min, p10, p90, supply };
}

/** The line of physical GPUs that several types offer together, broken where one of them is missing. */
export function supplyLine(
  points: readonly SupplyPoint[],
  times: readonly number[],
  bucket: Bucket,
): Pick<TrendLines, 'x' | 'supply'> {
  const { x, places } = placesOf(times, bucket);
  const supply = gaps(x);
  for (let index = 0; index < places.length; index += 1) {
    supply[places[index] as number] = points[index]?.physicalGpus ?? Number.NaN;
  }
  return { x, supply };
}

const gaps = ({ length }: Float64Array) => new Float64Array(length).fill(Number.NaN);

/** Moments of a line, those of its breaks included, and where in it each of its points is. */
function placesOf(times: readonly number[], bucket: Bucket): { x: Float64Array; places: Int32Array } {
  const breaks = findBreaks(times, bucket);
  const x = new Float64Array(times.length + breaks.length);
  const places = new Int32Array(times.length);
  let broken = 0;
  for (let index = 0; index < times.length; index += 1) {
    const time = times[index] as number;
    if (breaks[broken] === index) {
      x[index + broken] = (time + (times[index - 1] as number)) / 2;
      broken += 1;
    }
    x[index + broken] = time;
    places[index] = index + broken;
  }
  return { x, places };
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
