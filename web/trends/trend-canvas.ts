import {
  Chart,
  type ChartDataset,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  PointElement,
} from 'chart.js';
import type { Bucket, TrendPoint } from '../core/api.ts';
import { createPalette } from '../core/palette.ts';
import { nearestIndex, trendLines } from './trend-lines.ts';
import { trendOptions } from './trend-options.ts';

Chart.register(LineController, LineElement, PointElement, LinearScale, LogarithmicScale, Filler);

/** A line to draw with what belongs to it. */
export interface DrawnSeries {
  points: readonly TrendPoint[];
  bucket: Bucket;
  /** Place in the palette. */
  colour: number;
  /** Drawn dashed, as bids are. */
  dashed: boolean;
  /** Whether its supply is drawn: once a model, though it has several types. */
  supply: boolean;
  /** Lies so much earlier and is drawn faint where the others are; 0: one of them. */
  shiftMs: number;
}

export interface DrawnTrend {
  series: readonly DrawnSeries[];
  /** Ends of the time axis, ms; null: of the points. */
  from: number | null;
  to: number | null;
  log: boolean;
}

/** Where a time is on the canvas, CSS pixels from its left edge, and the heights of the medians there. */
export interface Crossing {
  x: number;
  top: number;
  bottom: number;
  spots: { y: number; colour: number }[];
}

/** A trend drawn on a canvas. */
export interface TrendCanvas {
  show(trend: DrawnTrend): void;
  /** The moment (ms) under a pixel. */
  timeAt(pixel: number): number;
  /** Where a moment is. */
  pixelOf(time: number): number;
  crossingAt(time: number, points: readonly (TrendPoint | undefined)[]): Crossing | null;
  /** Takes the colours from the style sheet again, after light changed to dark. */
  recolour(): void;
  destroy(): void;
}

/** Name of the performance measure that each drawing leaves, from new points to the drawn canvas. */
const drawingMeasure = 'draw-trend';
// Dashes are drawn segment by segment: with more points than pixels they are slow and only look solid.
const mostDashedPoints = 1_000;
/** More bands than this would hide each other. */
const mostBands = 3;

type Role = 'median' | 'min' | 'upper' | 'lower' | 'supply';
type Line = ChartDataset<'line', { x: number; y: number }[]> & { role: Role; colour: number; faint: boolean };

/** Draws on `canvas` in the colours that the style sheet gives it as custom properties. */
export function createTrendCanvas(canvas: HTMLCanvasElement): TrendCanvas {
  const palette = createPalette(canvas);
  const chart = new Chart<'line', { x: number; y: number }[]>(canvas, {
    type: 'line',
    data: { datasets: [] },
    options: trendOptions(),
  });
  let shown: DrawnTrend = { series: [], from: null, to: null, log: false };

  function recolour(): void {
    palette.refresh();
    for (const line of chart.data.datasets as Line[]) {
      const colour = palette.series(line.colour, line.faint ? 0.45 : 1);
      Object.assign(line, { borderColor: colour, pointBackgroundColor: colour });
      if (line.role === 'upper') line.backgroundColor = palette.series(line.colour, 0.15);
      if (line.role === 'supply') line.backgroundColor = palette.series(line.colour, 0.18);
    }
    for (const scale of Object.values(chart.options.scales ?? {})) {
      Object.assign(scale?.ticks ?? {}, { color: palette.soft() });
      Object.assign(scale?.grid ?? {}, { color: palette.line() });
    }
    chart.update('none');
  }

  return {
    show(trend) {
      const start = performance.now();
      shown = trend;
      chart.data.datasets = datasetsOf(trend);
      const { x, y } = chart.options.scales ?? {};
      Object.assign(x ?? {}, ends(trend));
      Object.assign(y ?? {}, { type: trend.log ? 'logarithmic' : 'linear' });
      recolour();
      performance.measure(drawingMeasure, { start, end: performance.now() });
    },
    timeAt: (pixel) => chart.scales.x?.getValueForPixel(pixel) ?? 0,
    pixelOf: (time) => chart.scales.x?.getPixelForValue(time) ?? 0,
    crossingAt(time, points) {
      const { x, y } = chart.scales;
      if (x === undefined || y === undefined) return null;
      const spots = points.flatMap((point, index) => {
        const series = shown.series[index];
        if (point?.median == null || series === undefined) return [];
        return [{ y: y.getPixelForValue(point.median), colour: series.colour }];
      });
      const { top, bottom } = chart.chartArea;
      return { x: x.getPixelForValue(time), top, bottom, spots };
    },
    recolour,
    destroy: () => chart.destroy(),
  };
}

function ends({ series, from, to }: DrawnTrend): { min: number | undefined; max: number | undefined } {
  const times = series
    .filter(({ shiftMs }) => shiftMs === 0)
    .flatMap(({ points }) => [points[0], points.at(-1)])
    .flatMap((point) => (point === undefined ? [] : [Date.parse(point.t)]));
  const min = from ?? (times.length === 0 ? undefined : Math.min(...times));
  return { min, max: to ?? (times.length === 0 ? undefined : Math.max(...times)) };
}

function datasetsOf({ series }: DrawnTrend): Line[] {
  const present = series.filter(({ shiftMs }) => shiftMs === 0);
  const alone = present.length === 1;
  const drawn = series.map((each) => linesOf(each, { band: present.length <= mostBands, min: alone }));
  // Bands lie below every line.
  return [...drawn.flatMap(({ bands }) => bands), ...drawn.flatMap(({ lines }) => lines)];
}

function linesOf(series: DrawnSeries, wanted: { band: boolean; min: boolean }) {
  const { points, bucket, colour, dashed, shiftMs } = series;
  const lines = trendLines(points, bucket, shiftMs);
  const faint = shiftMs !== 0;
  const dots = lines.alone.includes(true) ? lines.alone.map((alone) => (alone ? 2.5 : 0)) : 0;
  const dashes = (pattern: number[]) => (points.length > mostDashedPoints ? [] : pattern);
  const basis = { colour, faint, pointRadius: 0, yAxisID: 'y' };
  const main: Line = {
    ...basis,
    role: 'median',
    data: lines.median,
    borderWidth: faint ? 1.5 : 2,
    borderDash: dashed ? dashes([6, 4]) : [],
    pointRadius: dots,
  };
  if (faint) return { bands: [], lines: [main] };
  const min: Line = {
    ...basis,
    role: 'min',
    data: lines.min,
    borderWidth: 1.25,
    borderDash: dashes([2, 3]),
    pointRadius: dots,
  };
  const supply: Line = {
    ...basis,
    role: 'supply',
    data: lines.supply,
    borderWidth: 1.25,
    stepped: points.length > mostDashedPoints ? false : 'middle',
    fill: wanted.min ? 'origin' : false,
    yAxisID: 'supply',
  };
  const upper: Line = { ...basis, role: 'upper', data: lines.p90, borderWidth: 0, fill: '+1' };
  const lower: Line = { ...basis, role: 'lower', data: lines.p10, borderWidth: 0 };
  return {
    bands: wanted.band ? [upper, lower] : [],
    lines: [main, ...(wanted.min ? [min] : []), ...(series.supply ? [supply] : [])],
  };
}

/** The point of a series nearest to a moment. */
export function pointAt(
  points: readonly TrendPoint[],
  times: readonly number[],
  time: number,
): TrendPoint | undefined {
  return points[nearestIndex(times, time)];
}
