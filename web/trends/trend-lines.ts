import type { Bucket, TrendPoint } from '../core/api.ts';

interface Spot {
  x: number;
  /** NaN: the line breaks here. */
  y: number;
}

/** The lines of a trend chart, each of the same length, with a NaN spot wherever data is missing. */
export interface TrendLines {
  median: Spot[];
  min: Spot[];
  p10: Spot[];
  p90: Spot[];
  /** Physical GPUs. */
  supply: Spot[];
  /** Whether each spot stands alone between two breaks, where a line would be invisible. */
  alone: boolean[];
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
  const intervals = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const breaks = new Set<number>();
  intervals.forEach((interval, index) => {
    // Weighing sorts, and nearly all intervals are ordinary: at once too short for any usual distance.
    const shortest = shortestAround(intervals, index);
    if (shortest !== null && interval <= slack * Math.max(shortest, bucketMs[bucket])) return;
    const before = intervals.slice(Math.max(0, index - sideLength), index);
    const after = intervals.slice(index + 1, index + 1 + sideLength);
    const usual = usualInterval(before, after) ?? (bucket === 'book' ? interval : bucketMs[bucket]);
    if (interval > slack * Math.max(usual, bucketMs[bucket])) breaks.add(index + 1);
  });
  return breaks;
}

const sideLength = 3;

function shortestAround(intervals: readonly number[], index: number): number | null {
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

/** The lines of points in ascending time, broken where data is missing, each spot moved on by `shiftMs`. */
export function trendLines(points: readonly TrendPoint[], bucket: Bucket, shiftMs = 0): TrendLines {
  const times = points.map((point) => Date.parse(point.t) + shiftMs);
  const breaks = findBreaks(times, bucket);
  const lines: TrendLines = { median: [], min: [], p10: [], p90: [], supply: [], alone: [] };
  points.forEach((point, index) => {
    const x = times[index] ?? Number.NaN;
    if (breaks.has(index)) addSpot(lines, (x + (times[index - 1] ?? x)) / 2, null, false);
    const first = index === 0 || breaks.has(index);
    const last = index === points.length - 1 || breaks.has(index + 1);
    addSpot(lines, x, point, (first || isBlank(points[index - 1])) && (last || isBlank(points[index + 1])));
  });
  return lines;
}

// A book that held no offer of the model: nothing to draw, yet not a missing one.
const isBlank = (point: TrendPoint | undefined) => point?.median == null;

function addSpot(lines: TrendLines, x: number, point: TrendPoint | null, alone: boolean): void {
  for (const name of ['median', 'min', 'p10', 'p90'] as const) {
    lines[name].push({ x, y: point?.[name] ?? Number.NaN });
  }
  lines.supply.push({ x, y: point?.physicalGpus ?? Number.NaN });
  lines.alone.push(alone);
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
