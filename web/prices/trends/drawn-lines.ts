import type { Bucket, SupplyPoint, TrendPoint } from '../../core/api.ts';
import { type Columns, columnsOf, type Spot, thinBand, thinLine } from './thin-lines.ts';
import { supplyLine, trendLines } from './trend-lines.ts';

/** A line to draw with what belongs to it. */
export interface DrawnSeries {
  points: readonly TrendPoint[];
  /** Where each point is drawn on the time axis, ms; ascending. */
  times: readonly number[];
  bucket: Bucket;
  /** Place in the palette. */
  colour: number;
  /** Drawn dashed, as bids are. */
  dashed: boolean;
  /** Whether its own supply is drawn. */
  supply: boolean;
  /** An earlier time, drawn where the others are. */
  faint: boolean;
}

/** What the types of a model offer together. */
export interface DrawnSupply {
  points: readonly SupplyPoint[];
  times: readonly number[];
  bucket: Bucket;
  colour: number;
}

/** What is drawn of a trend. */
export interface DrawnLines {
  /** Ribbons, below every line. */
  bands: Band[];
  prices: Line[];
  supply: Line[];
}

/** Both sides of a ribbon, at the same moments. */
export interface Band {
  low: readonly Spot[];
  high: readonly Spot[];
  colour: number;
}

export interface Line {
  spots: readonly Spot[];
  colour: number;
  faint: boolean;
  /** CSS pixels. */
  width: number;
  /** Lengths of dashes and the gaps between them; empty: solid. */
  dash: readonly number[];
  /** Whether each height holds halfway to its neighbours. */
  stepped: boolean;
  /** Whether what is below it is tinted. */
  filled: boolean;
}

// Dashes are drawn segment by segment: with more points than pixels they are slow and only look solid.
const mostDashedPoints = 1_000;
/** More bands than this would hide each other. */
export const mostBands = 3;

/**
 * The lines of series and of what types offer together, with no more spots than the columns can show. The band of each
 * where there are few series, the minimum where there is one.
 */
export function linesOf(
  series: readonly DrawnSeries[],
  supply: readonly DrawnSupply[],
  columns: Columns,
): DrawnLines {
  const present = series.filter(({ faint }) => !faint).length;
  const found: DrawnLines = { bands: [], prices: [], supply: [] };
  for (const { points, times, bucket, colour, dashed, faint, supply: hasSupply } of series) {
    const lines = trendLines(points, times, bucket);
    const places = columnsOf(lines.x, columns);
    const thin = (y: Float64Array) => thinLine(lines.x, y, places);
    const dashes = (pattern: number[]) => (points.length > mostDashedPoints ? [] : pattern);
    const basis = { colour, faint, stepped: false, filled: false };
    found.prices.push({
      ...{ ...basis, spots: thin(lines.median) },
      ...{ width: faint ? 1.5 : 2, dash: dashed ? dashes([6, 4]) : [] },
    });
    if (faint) continue;
    if (present <= mostBands)
      found.bands.push({ ...thinBand(lines.x, lines.p10, lines.p90, places), colour });
    if (present === 1) {
      found.prices.push({ ...basis, spots: thin(lines.min), width: 1.25, dash: dashes([2, 3]) });
    }
    if (hasSupply) found.supply.push(supplyOf(thin(lines.supply), colour, present === 1));
  }
  for (const { points, times, bucket, colour } of supply) {
    const { x, supply: y } = supplyLine(points, times, bucket);
    found.supply.push(supplyOf(thinLine(x, y, columnsOf(x, columns)), colour, supply.length === 1));
  }
  return found;
}

const supplyOf = (spots: Spot[], colour: number, filled: boolean): Line => ({
  ...{ spots, colour, filled, faint: false, width: 1.25, dash: [] },
  stepped: spots.length <= mostDashedPoints,
});

/** In the unit of what is drawn: dollars, or GPUs. */
export interface Heights {
  lowest: number;
  highest: number;
}

/** The least and the greatest height of spots between two moments; null: there is none. */
export function heightsOf(
  lines: readonly (readonly Spot[])[],
  { from, to }: Pick<Columns, 'from' | 'to'>,
): Heights | null {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const spots of lines) {
    for (let index = 0; index < spots.length; index += 1) {
      const { x, y } = spots[index] as Spot;
      if (Number.isNaN(y) || x < from || x > to) continue;
      if (y < lowest) lowest = y;
      if (y > highest) highest = y;
    }
  }
  return lowest <= highest ? { lowest, highest } : null;
}

/**
 * Ends of the axis of prices, in dollars, with some room around what is drawn, which a logarithmic axis has by itself;
 * undefined: nothing is drawn. What is never negative gets no axis below zero, however near to it it comes.
 */
export function withMargins(heights: Heights | null, log: boolean) {
  if (heights === null) return { suggestedMin: undefined, suggestedMax: undefined };
  const { lowest, highest } = heights;
  const margin = log ? 0 : (highest - lowest) * 0.06;
  const least = lowest < 0 ? lowest - margin : Math.max(0, lowest - margin);
  return { suggestedMin: least, suggestedMax: highest + margin };
}
