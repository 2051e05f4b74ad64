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
import type { Bucket, SupplyPoint, TrendPoint } from '../core/api.ts';
import { createPalette } from '../core/palette.ts';
import { type Columns, type Spot, thinBand, thinLine } from './thin-lines.ts';
import { areAlone, supplyLine, trendLines } from './trend-lines.ts';
import { trendOptions } from './trend-options.ts';

Chart.register(LineController, LineElement, PointElement, LinearScale, LogarithmicScale, Filler);

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

export interface DrawnTrend {
  series: readonly DrawnSeries[];
  /** Of models that are drawn at several types. */
  supply: readonly DrawnSupply[];
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

/** Name of the performance measure of the last drawing, from new points to the drawn canvas. */
const drawingMeasure = 'draw-trend';
// Dashes are drawn segment by segment: with more points than pixels they are slow and only look solid.
const mostDashedPoints = 1_000;
/** More bands than this would hide each other. */
const mostBands = 3;

type Role = 'median' | 'min' | 'upper' | 'lower' | 'supply';
type Line = ChartDataset<'line', Spot[]> & { role: Role; colour: number; faint: boolean };

/**
 * Draws on `canvas` in the colours that the style sheet gives it as custom properties. `resized` is called once moments
 * have other places.
 */
export function createTrendCanvas(canvas: HTMLCanvasElement, resized: () => void): TrendCanvas {
  const palette = createPalette(canvas);
  let shown: DrawnTrend = { series: [], supply: [], from: null, to: null, log: false };
  const chart = new Chart<'line', Spot[]>(canvas, {
    type: 'line',
    data: { datasets: [] },
    options: trendOptions(),
  });
  chart.options.onResize = () => {
    // A wider canvas shows more of the points. It is drawn at once after this.
    lay();
    queueMicrotask(resized);
  };

  /** Takes the lines of what is shown, as many spots as the canvas can show, coloured; drawn at the next update. */
  function lay(): void {
    const { min, max } = endsOf(shown);
    chart.data.datasets = datasetsOf(shown, { from: min ?? 0, to: max ?? 0, pixels: chart.width });
    colour();
  }

  function colour(): void {
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
  }

  return {
    show(trend) {
      const start = performance.now();
      shown = trend;
      const { x, y } = chart.options.scales ?? {};
      Object.assign(x ?? {}, endsOf(trend));
      Object.assign(y ?? {}, { type: trend.log ? 'logarithmic' : 'linear' });
      lay();
      chart.update('none');
      // One is kept: a page that stays open for weeks draws often.
      performance.clearMeasures(drawingMeasure);
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
    recolour() {
      palette.refresh();
      colour();
      chart.update('none');
    },
    destroy: () => chart.destroy(),
  };
}

function endsOf({ series, from, to }: DrawnTrend): { min: number | undefined; max: number | undefined } {
  const present = series.filter(({ faint }) => !faint);
  const times = present.flatMap(({ times }) => [times[0] ?? [], times.at(-1) ?? []].flat());
  const min = from ?? (times.length === 0 ? undefined : Math.min(...times));
  return { min, max: to ?? (times.length === 0 ? undefined : Math.max(...times)) };
}

function datasetsOf({ series, supply }: DrawnTrend, columns: Columns): Line[] {
  const present = series.filter(({ faint }) => !faint);
  const wanted = { band: present.length <= mostBands, min: present.length === 1 };
  const drawn = series.map((each) => linesOf(each, columns, wanted));
  const together = supply.map(({ points, times, bucket, colour }) => {
    const { x, supply: y } = supplyLine(points, times, bucket);
    return supplyOf(thinLine(x, y, columns), colour, supply.length === 1);
  });
  // Bands lie below every line.
  return [...drawn.flatMap(({ bands }) => bands), ...drawn.flatMap(({ lines }) => lines), ...together];
}

function linesOf(series: DrawnSeries, columns: Columns, wanted: { band: boolean; min: boolean }) {
  const { points, times, bucket, colour, dashed, faint } = series;
  const lines = trendLines(points, times, bucket);
  const thin = (y: Float64Array) => thinLine(lines.x, y, columns);
  const dashes = (pattern: number[]) => (points.length > mostDashedPoints ? [] : pattern);
  const basis = { colour, faint, pointRadius: 0, yAxisID: 'y' };
  const median = thin(lines.median);
  const main: Line = {
    ...basis,
    role: 'median',
    data: median,
    borderWidth: faint ? 1.5 : 2,
    borderDash: dashed ? dashes([6, 4]) : [],
    pointRadius: dotsOf(median),
  };
  const found: { bands: Line[]; lines: Line[] } = { bands: [], lines: [main] };
  if (faint) return found;
  if (wanted.min) {
    const data = thin(lines.min);
    const [borderDash, pointRadius] = [dashes([2, 3]), dotsOf(data)];
    found.lines.push({ ...basis, role: 'min', data, borderWidth: 1.25, borderDash, pointRadius });
  }
  if (series.supply) found.lines.push(supplyOf(thin(lines.supply), colour, wanted.min));
  if (wanted.band) {
    const { low, high } = thinBand(lines.x, lines.p10, lines.p90, columns);
    found.bands.push({ ...basis, role: 'upper', data: high, borderWidth: 0, fill: '+1' });
    found.bands.push({ ...basis, role: 'lower', data: low, borderWidth: 0 });
  }
  return found;
}

const supplyOf = (data: Spot[], colour: number, filled: boolean): Line => ({
  ...{ role: 'supply', data, colour, faint: false, pointRadius: 0, borderWidth: 1.25, yAxisID: 'supply' },
  stepped: data.length > mostDashedPoints ? false : 'middle',
  fill: filled ? 'origin' : false,
});

/** Sizes of the dots of a line: a spot that stands alone would be invisible without one. */
function dotsOf(spots: readonly Spot[]): number | number[] {
  const alone = areAlone(spots);
  return alone.includes(true) ? alone.map((is) => (is ? 2.5 : 0)) : 0;
}
