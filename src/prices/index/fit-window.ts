import { type IndexWindow, windowDays } from './index-window.ts';
import type { HostInfluences } from './pack-influences.ts';
import { type Factored, factor, solve } from './solve-symmetric.ts';
import { countDays, daysOf, findLastPart } from './window-part.ts';

/** The regression over a window's last part. Places are days 0 to 27; 27 is the window's last day. */
export interface WindowFit {
  /** The days of the part, oldest first; the last one is the window's. */
  days: number[];
  /** By place: the last day's log price level minus that day's, to 12 decimals; NaN outside the part. */
  changes: Float64Array;
  /** Standard error of that change, clustered by host, to 12 decimals; null: fewer than 3 hosts. */
  errorOf: (place: number) => number | null;
  /** Each host's contribution to that error, the root of the sum of their squares; null: fewer than 3 hosts. */
  influencesOn: (place: number) => HostInfluences | null;
  /** The part's listings seen on two or more days, with their machines and hosts; the levels depend only on these. */
  listings: number;
  machines: number;
  hosts: number;
  /** Listing-days of the part. */
  observations: number;
}

/** With fewer, clustered errors mean nothing. Source: docs/meaning.md#like-for-like-index. */
const minHosts = 3;

/** Rounds to 12 decimals, never -0, so that the bytes do not depend on the last bits of a computation. */
const roundLog = (value: number): number => Math.round(value * 1e12) / 1e12 + 0;

/**
 * Fits log price = listing + day by least squares over the part of the window that listings connect with its last day.
 * A listing's own level is its mean, so only an equation per day is left to solve. null: nothing was observed on the
 * last day.
 */
export function fitWindow(window: IndexWindow): WindowFit | null {
  const part = findLastPart(window);
  if (part === 0) return null;
  const days = daysOf(part);
  const repeated = findRepeated(window, part);
  const factored = factorDays(window, repeated, days);
  const levels = solveDays(factored, centeredSums(window, repeated), days);
  const scores = hostScores(window, repeated, levels);
  const inPart = [...window.masks.keys()].filter((at) => ((window.masks[at] as number) & part) !== 0);
  const observations = inPart.reduce((sum, at) => sum + countDays(window.masks[at] as number), 0);
  const clusters = new Set(inPart.map((at) => window.hostIds[at])).size;
  const scale = (clusters / (clusters - 1)) * ((observations - 1) / (observations - days.length));
  const influencesOn = (place: number): Map<number, number> | null => {
    if (clusters < minHosts) return null;
    const direction = new Float64Array(windowDays);
    direction[place] = -1;
    const weights = solveDays(factored, direction, days);
    return new Map([...scores].map(([host, score]) => [host, dot(weights, score) * Math.sqrt(scale)]));
  };
  return {
    days,
    changes: Float64Array.from({ length: windowDays }, (_, place) =>
      days.includes(place) ? roundLog(-(levels[place] as number)) : Number.NaN,
    ),
    errorOf: (place) => {
      const influences = influencesOn(place);
      if (influences === null) return null;
      let sum = 0;
      for (const influence of influences.values()) sum += influence ** 2;
      return roundLog(Math.sqrt(sum));
    },
    influencesOn,
    listings: repeated.length,
    machines: new Set(repeated.map((at) => window.machineIds[at])).size,
    hosts: scores.size,
    observations,
  };
}

/** Returns the places of the part's listings that were seen on two or more days. */
const findRepeated = ({ masks }: IndexWindow, part: number): number[] =>
  [...masks.keys()].filter((at) => {
    const mask = masks[at] as number;
    return (mask & part) !== 0 && (mask & (mask - 1)) !== 0;
  });

/** Returns the normal equations of the days after listings are eliminated; the part's last day is the reference. */
function factorDays({ masks }: IndexWindow, repeated: readonly number[], days: readonly number[]): Factored {
  const counts = new Map<number, number>();
  for (const at of repeated) {
    const mask = masks[at] as number;
    counts.set(mask, (counts.get(mask) ?? 0) + 1);
  }
  const size = days.length - 1;
  const matrix = new Float64Array(size * size);
  for (const [mask, count] of counts) {
    const share = count / countDays(mask);
    for (let row = 0; row < size; row += 1) {
      if (((mask >> (days[row] as number)) & 1) === 0) continue;
      for (let column = 0; column <= row; column += 1) {
        if (((mask >> (days[column] as number)) & 1) === 0) continue;
        const at = row * size + column;
        matrix[at] = (matrix[at] as number) + (row === column ? count - share : -share);
      }
    }
  }
  return factor(matrix, size);
}

/** Returns levels by place, 0 on the last day and outside the part. */
function solveDays(factored: Factored, sums: Float64Array, days: readonly number[]): Float64Array {
  const solved = solve(
    factored,
    Float64Array.from(days.slice(0, -1), (place) => sums[place] as number),
  );
  const levels = new Float64Array(windowDays);
  days.slice(0, -1).forEach((place, at) => {
    levels[place] = solved[at] as number;
  });
  return levels;
}

/** Returns the mean of a listing's values, exact if they are all equal. */
function meanOf(values: readonly number[], start: number, count: number): number {
  const first = values[start] as number;
  let sum = 0;
  for (let at = start + 1; at < start + count; at += 1) sum += (values[at] as number) - first;
  return first + sum / count;
}

/** Returns for each day the sum of its values' deviations from their listings' means. */
function centeredSums({ masks, starts, values }: IndexWindow, repeated: readonly number[]): Float64Array {
  const sums = new Float64Array(windowDays);
  for (const listing of repeated) {
    const mask = masks[listing] as number;
    let at = starts[listing] as number;
    const mean = meanOf(values, at, countDays(mask));
    for (let place = 0; place < windowDays; place += 1) {
      if (((mask >> place) & 1) === 0) continue;
      sums[place] = (sums[place] as number) + (values[at] as number) - mean;
      at += 1;
    }
  }
  return sums;
}

/** Returns the sums of residuals by host and day; all unknown hosts count as one. */
function hostScores(
  { masks, starts, values, hostIds }: IndexWindow,
  repeated: readonly number[],
  levels: Float64Array,
): Map<number, Float64Array> {
  const scores = new Map<number, Float64Array>();
  const own = new Float64Array(windowDays);
  for (const listing of repeated) {
    const mask = masks[listing] as number;
    const start = starts[listing] as number;
    let count = 0;
    let sum = 0;
    for (let place = 0; place < windowDays; place += 1) {
      if (((mask >> place) & 1) === 0) continue;
      own[count] = (values[start + count] as number) - (levels[place] as number);
      sum += (own[count] as number) - (own[0] as number);
      count += 1;
    }
    const mean = (own[0] as number) + sum / count;
    const hostId = hostIds[listing] as number;
    const score = scores.get(hostId) ?? new Float64Array(windowDays);
    scores.set(hostId, score);
    count = 0;
    for (let place = 0; place < windowDays; place += 1) {
      if (((mask >> place) & 1) === 0) continue;
      score[place] = (score[place] as number) + (own[count] as number) - mean;
      count += 1;
    }
  }
  return scores;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
