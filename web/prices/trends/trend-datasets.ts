import type { ChartDataset, Point } from 'chart.js';
import type { Bucket, SupplyPoint, TrendPoint } from '../../core/api.ts';
import type { Palette } from '../../core/palette.ts';
import { findBreaks, lineOf, lonelyOf } from './trend-lines.ts';

/**
 * What is drawn of a point: the median as a line, p10 to p90 as its band, the minimum dotted, supply below. For an
 * index, the level replaces the median and its error the band.
 */
export interface DrawnPoint extends Pick<TrendPoint, 't' | 'median' | 'p10' | 'p90' | 'min'> {
  physicalGpus: number | null;
  /** A sign on the line: a diamond where it restarts, a ring where its day is not over. */
  sign?: 'rectRot' | 'circle' | null;
}

/** An expected value in the future. */
export interface ExpectedPoint {
  /** ms. */
  t: number;
  low: number;
  value: number;
  high: number;
}

/** A line to draw with its options. */
export interface DrawnSeries<Point extends DrawnPoint = TrendPoint> {
  points: readonly Point[];
  /** Time of each point on the axis, ms; ascending. */
  times: readonly number[];
  bucket: Bucket;
  /** Index in the palette. */
  color: number;
  /** Drawn dashed, as bids are. */
  dashed: boolean;
  /** Whether its own supply is drawn. */
  supply: boolean;
  /** Whether it is an earlier period, drawn faint. */
  faint: boolean;
  /** A fan that starts at the last known value. */
  expected?: readonly ExpectedPoint[];
  /** A list price: thin with long dashes. @default false */
  thin?: boolean;
}

/** The combined supply of a model's types. */
export interface DrawnSupply {
  points: readonly SupplyPoint[];
  times: readonly number[];
  bucket: Bucket;
  color: number;
}

/** A Chart.js dataset: a line, or its isolated points. */
type Dataset = ChartDataset<'line', Point[]>;

// Dashes and steps are drawn segment by segment; with more points than pixels they are slow and look solid.
const maxDashedPoints = 1_000;
/** More bands would hide each other. */
export const maxBands = 3;
const dotRadius = 2.5;
/** Of a line's only point. */
const onlyDotRadius = 4.5;
// A sign at the very end must not be clipped.
const signStyle = {
  clip: 8,
  showLine: false,
  pointRadius: 4.5,
  pointBorderWidth: 1.5,
  pointBackgroundColor: '#0000',
};

/**
 * Returns the datasets of series and combined supply, topmost first. Bands only with few series, the minimum only with
 * one.
 */
export function trendDatasets(
  series: readonly DrawnSeries<DrawnPoint>[],
  supply: readonly DrawnSupply[],
  palette: Palette,
): Dataset[] {
  const present = series.filter(({ faint }) => !faint).length;
  const counts: Dataset[] = [];
  const prices: Dataset[] = [];
  const bands: Dataset[] = [];
  for (const {
    points,
    times,
    bucket,
    color,
    dashed,
    faint,
    thin,
    supply: hasSupply,
    expected = [],
  } of series) {
    const restarts = points.flatMap(({ sign }, at) => (sign === 'rectRot' ? [at] : []));
    const breaks = [...new Set([...findBreaks(times, bucket), ...restarts])].sort((a, b) => a - b);
    const line = (heightOf: (point: DrawnPoint) => number | null) => lineOf(points, times, breaks, heightOf);
    const dashes = (pattern: number[]) => (points.length > maxDashedPoints ? [] : pattern);
    const borderColor = palette.series(color, faint && !thin ? 0.45 : 1);
    prices.push(
      ...withLonely({
        data: line(({ median }) => median),
        borderColor,
        borderWidth: thin ? 1 : faint ? 1.5 : 2,
        borderDash: thin ? dashes([12, 4]) : dashed ? dashes([6, 4]) : [],
      }),
    );
    if (faint) continue;
    for (const sign of ['rectRot', 'circle'] as const) {
      const data = points.flatMap((point, at) =>
        point.sign === sign && point.median !== null ? [{ x: times[at] as number, y: point.median }] : [],
      );
      if (data.length > 0) prices.push({ ...signStyle, data, borderColor, pointStyle: sign });
    }
    if (present === 1) {
      const data = line(({ min }) => min);
      prices.push(...withLonely({ data, borderColor, borderWidth: 1.25, borderDash: dashes([2, 3]) }));
    }
    if (hasSupply)
      counts.push(
        ...supplyOf(
          line((point) => point.physicalGpus),
          color,
          present === 1,
          palette,
        ),
      );
    if (present > maxBands) continue;
    if (expected.length > 0) {
      const ahead = (heightOf: (point: ExpectedPoint) => number) =>
        expected.map((point) => ({ x: point.t, y: heightOf(point) }));
      const fan = { borderWidth: 0, backgroundColor: palette.series(color, 0.25) };
      prices.push({ data: ahead(({ value }) => value), borderColor, borderWidth: 2, borderDash: [2, 4] });
      bands.push(
        { ...fan, data: ahead(({ high }) => high), fill: '+1' },
        { ...fan, data: ahead(({ low }) => low) },
      );
    }
    const sides = { borderWidth: 0, backgroundColor: palette.series(color, 0.15) };
    bands.push(
      { ...sides, data: line(({ p90 }) => p90), fill: '+1' },
      { ...sides, data: line(({ p10 }) => p10) },
    );
  }
  for (const { points, times, bucket, color } of supply) {
    const data = lineOf(points, times, findBreaks(times, bucket), ({ physicalGpus }) => physicalGpus);
    counts.push(...supplyOf(data, color, supply.length === 1, palette));
  }
  return [...counts.toReversed(), ...prices.toReversed(), ...bands];
}

function supplyOf(data: Point[], color: number, isFilled: boolean, palette: Palette): Dataset[] {
  return withLonely({
    data,
    yAxisID: 'supply',
    borderColor: palette.series(color),
    borderWidth: 1.25,
    stepped: data.length > maxDashedPoints ? false : 'middle',
    ...(isFilled ? { fill: 'start', backgroundColor: palette.series(color, 0.18) } : {}),
  });
}

/** Returns a line, and as dots its points between two gaps, which as a line would be invisible. */
function withLonely(line: Dataset): Dataset[] {
  const data = lonelyOf(line.data);
  if (data.length === 0) return [line];
  const { yAxisID = 'y', borderColor } = line;
  // A dot at the edge must not be cut in half.
  const dots = {
    clip: 8,
    data,
    yAxisID,
    showLine: false,
    pointRadius: line.data.length === 1 ? onlyDotRadius : dotRadius,
    pointBorderWidth: 0,
  };
  return [line, { ...dots, pointBackgroundColor: borderColor as string }];
}

/**
 * Returns the ends of the price axis with some margin. Values that are never negative get no axis below zero, however
 * close.
 */
export function withMargins({ min, max }: { min: number; max: number }): { min: number; max: number } {
  const margin = (max - min) * 0.06;
  return { min: min < 0 ? min - margin : Math.max(0, min - margin), max: max + margin };
}
