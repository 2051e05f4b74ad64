import { describe, expect, it } from 'vitest';
import type { Bucket, TrendPoint } from '../../web/core/api.ts';
import { findBreaks, lineOf, lonelyOf, nearestIndex, pointAt } from '../../web/prices/trends/trend-lines.ts';

const hour = 3_600_000;
const at = (hours: number[]) => hours.map((value) => value * hour);
const breaksAt = (hours: number[], bucket: 'book' | '1h' | '1d' = 'book') => findBreaks(at(hours), bucket);

const point = (hours: number): TrendPoint => ({
  t: new Date(hours * hour).toISOString(),
  books: 1,
  observations: 4,
  offers: 4,
  gpus: 8,
  physicalGpusIsLowerBound: false,
  machines: 3,
  physicalGpus: 6,
  min: hours + 0.1,
  p10: hours + 0.2,
  p25: hours + 0.3,
  median: hours + 0.4,
  p75: hours + 0.5,
  p90: hours + 0.6,
  max: hours + 0.7,
});

describe('breaks of the line', () => {
  it('do not occur while books arrive regularly', () => {
    expect(breaksAt([0, 1, 2, 3, 4, 5])).toEqual([]);
    expect(breaksAt([0, 1, 2, 3, 4], '1h')).toEqual([]);
    expect(breaksAt([0, 6, 12, 18], '1h')).toEqual([]);
  });

  it('occur if buckets are missing', () => {
    expect(breaksAt([0, 1, 2, 4, 5, 6], '1h')).toEqual([3]);
    expect(breaksAt([0, 1, 2, 9, 10, 11])).toEqual([3]);
    expect(breaksAt([0, 24, 48, 96, 120], '1d')).toEqual([3]);
  });

  it('occur on both sides of a lone point, also at either end', () => {
    expect(breaksAt([0, 1, 2, 12, 22, 23, 24])).toEqual([3, 4]);
    expect(breaksAt([0, 10, 11, 12, 13])).toEqual([1]);
    expect(breaksAt([0, 1, 2, 3, 13])).toEqual([4]);
  });

  it('do not occur if the rhythm changes or an extra book was requested', () => {
    expect(breaksAt([0, 6, 12, 18, 24, 25, 26, 27, 28])).toEqual([]);
    expect(breaksAt([0, 1, 2, 2.1, 3, 4, 5])).toEqual([]);
  });

  it('are only known between two points if the buckets have a fixed length', () => {
    expect(breaksAt([0, 5])).toEqual([]);
    expect(breaksAt([0, 5], '1h')).toEqual([1]);
    expect(breaksAt([])).toEqual([]);
  });
});

/** Returns the hours and heights of the line through medians; null where it breaks. */
function medianLine(points: readonly TrendPoint[], bucket: Bucket) {
  const times = points.map(({ t }) => Date.parse(t));
  const line = lineOf(points, times, findBreaks(times, bucket), ({ median }) => median);
  const hoursOf = (part: typeof line) => part.map(({ x }) => (x ?? Number.NaN) / hour);
  return {
    hours: hoursOf(line),
    heights: line.map(({ y }) => (Number.isNaN(y) ? null : y)),
    lonely: hoursOf(lonelyOf(line)),
  };
}

describe('the line of a trend', () => {
  it('has every value at its time, nothing in a gap, and knows lone points', () => {
    expect(medianLine([0, 1, 2, 12, 22, 23, 24].map(point), '1h')).toEqual({
      hours: [0, 1, 2, 7, 12, 17, 22, 23, 24],
      heights: [0.4, 1.4, 2.4, null, 12.4, null, 22.4, 23.4, 24.4],
      lonely: [12],
    });
  });

  it('is interrupted by empty books, which are not gaps, and keeps a lone neighbor visible', () => {
    const points = [0, 1, 2, 3, 4]
      .map(point)
      .map((each, index) => (index % 2 ? { ...each, median: null } : each));
    expect(medianLine(points, '1h')).toEqual({
      hours: [0, 1, 2, 3, 4],
      heights: [0.4, null, 2.4, null, 4.4],
      lonely: [0, 2, 4],
    });
  });
});

describe('the nearest point', () => {
  it('is the closest in time, or null without points', () => {
    const times = [0, 10, 20, 100];
    expect([-5, 4, 6, 59, 61, 500].map((time) => nearestIndex(times, time))).toEqual([0, 0, 1, 2, 3, 3]);
    expect(nearestIndex([], 5)).toBe(-1);
  });

  it('equals a search through all points', () => {
    const times = [1, 2, 4, 8, 16, 32, 64, 128];
    for (let time = 0; time < 140; time += 0.75) {
      const nearest = Math.min(...times.map((value) => Math.abs(value - time)));
      expect(Math.abs((times[nearestIndex(times, time)] ?? 0) - time)).toBe(nearest);
    }
  });
});

describe('the point of a moment', () => {
  const hours = [0, 1, 2, 3, 12, 13, 14];
  const found = (moment: number, bucket: 'book' | '1h' | '1d' = 'book') =>
    pointAt(hours, at(hours), bucket, moment * hour);

  it('is the nearest one, also a little outside both ends', () => {
    expect([-1, 0.4, 2.6, 12.4, 15].map((value) => found(value))).toEqual([0, 0, 3, 12, 14]);
  });

  it('is null in a gap and far outside the ends', () => {
    expect([-3, 6, 8, 9, 17].map((value) => found(value))).toEqual(Array(5).fill(undefined));
    expect(found(6, '1d')).toBe(3);
  });

  it('is the only one if there is just one, and null without points', () => {
    expect(pointAt(['a'], [5], 'book', 1e9)).toBe('a');
    expect(pointAt([], [], '1h', 0)).toBeUndefined();
  });
});
