import type { Point } from 'chart.js';
import type { Bucket } from '../../core/api.ts';

const bucketMs: Record<Bucket, number> = {
  book: 0,
  '1h': 3_600_000,
  '1d': 86_400_000,
  '1w': 7 * 86_400_000,
};
/** Books arrive slightly early or late; twice the usual interval always means a missing one. */
const slack = 1.8;

/**
 * Returns the indexes, ascending, of points that start a new line because buckets are missing before them: those
 * farther from the previous point than a bucket and than `slack` times the usual interval nearby. So a market crawled
 * every six hours keeps its line over hourly buckets, also when its rhythm changes, and a missed book breaks it.
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
    // Sorting is slow and nearly all intervals are ordinary, so obviously short ones are skipped.
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

// Returns the slower of the rhythms on both sides; a single interval may be a gap itself and has no rhythm.
function usualInterval(before: number[], after: number[]): number | undefined {
  const sides = [before, after].filter((side) => side.length > 1);
  const medians = (sides.length > 0 ? sides : [before, after]).flatMap((side) => middle(side) ?? []);
  return medians.length === 0 ? undefined : Math.max(...medians);
}

/** Returns the middle value, the lower one of an even number. */
function middle(values: number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
}

/** Returns a line through the values at ascending `times`; NaN in gaps and for unknown values. */
export function lineOf<T>(
  points: readonly T[],
  times: readonly number[],
  breaks: readonly number[],
  heightOf: (point: T) => number | null,
): Point[] {
  const line: Point[] = [];
  let broken = 0;
  for (const [index, point] of points.entries()) {
    const x = times[index] as number;
    if (breaks[broken] === index) {
      line.push({ x: (x + (times[index - 1] as number)) / 2, y: Number.NaN });
      broken += 1;
    }
    line.push({ x, y: heightOf(point) ?? Number.NaN });
  }
  return line;
}

/** Returns the points of a line that are isolated between gaps or ends. */
export function lonelyOf(line: readonly Point[]): Point[] {
  const isBreak = (index: number) => Number.isNaN(line[index]?.y ?? Number.NaN);
  return line.filter((_, index) => !isBreak(index) && isBreak(index - 1) && isBreak(index + 1));
}

/** Returns the index of the point nearest in time, or -1 if there is none. `times` ascends. */
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
 * Returns the point of a line at a moment: the nearest one, if no farther away than the next point could be; undefined
 * in a gap and beyond the ends.
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
