import { Chart, Filler, LinearScale, LineController, LineElement, PointElement } from 'chart.js';
import type { Bucket, TrendPoint } from './api.ts';
import { nearestIndex, trendLines } from './trend-lines.ts';
import { trendOptions } from './trend-options.ts';

Chart.register(LineController, LineElement, PointElement, LinearScale, Filler);

/** Where a point is on the canvas, CSS pixels from its top left corner; null: it has no such price. */
export interface PointPlace {
  x: number;
  top: number;
  bottom: number;
  median: number | null;
  min: number | null;
}

/** A trend drawn on a canvas. */
export interface TrendCanvas {
  /** Draws other points; the time axis begins at the first and ends at `to`, null: at the last. */
  show(points: readonly TrendPoint[], bucket: Bucket, to: string | null): void;
  /** Index of the point nearest to a pixel of the canvas; -1 when there are none. */
  indexAt(pixel: number): number;
  /** Where a point shown is; null when there is none of that index. */
  placeOf(index: number): PointPlace | null;
  /** Takes the colours from the style sheet again, after light changed to dark. */
  recolour(): void;
  destroy(): void;
}

/** Name of the performance measure that each drawing leaves, from new points to the drawn canvas. */
const drawingMeasure = 'draw-trend';
// Dashes are drawn segment by segment: with more points than pixels they are slow and only look solid.
const mostDashedPoints = 1_000;

/** Draws on `canvas` in the colours that the style sheet gives it as custom properties. */
export function createTrendCanvas(canvas: HTMLCanvasElement): TrendCanvas {
  let shown: readonly TrendPoint[] = [];
  let times: number[] = [];
  const chart = new Chart(canvas, { type: 'line', data: { datasets: [] }, options: trendOptions() });

  function recolour(): void {
    const { median, min, band, line, soft } = colours(canvas);
    const [medians, minima, upper] = chart.data.datasets;
    if (medians) Object.assign(medians, { borderColor: median, pointBackgroundColor: median });
    if (minima) Object.assign(minima, { borderColor: min, pointBackgroundColor: min });
    if (upper) Object.assign(upper, { backgroundColor: band });
    for (const scale of [chart.options.scales?.x, chart.options.scales?.y]) {
      Object.assign(scale?.ticks ?? {}, { color: soft });
      Object.assign(scale?.grid ?? {}, { color: line });
    }
    chart.update('none');
  }

  return {
    show(points, bucket, to) {
      const start = performance.now();
      shown = points;
      times = points.map((point) => Date.parse(point.t));
      const lines = trendLines(points, bucket);
      const dots = lines.alone.includes(true) ? lines.alone.map((alone) => (alone ? 2.5 : 0)) : 0;
      const borderDash = points.length > mostDashedPoints ? [] : [4, 3];
      chart.data.datasets = [
        { data: lines.median, borderWidth: 2, pointRadius: dots },
        { data: lines.min, borderWidth: 1.25, borderDash, pointRadius: dots },
        { data: lines.p90, borderWidth: 0, pointRadius: 0, fill: '+1' },
        { data: lines.p10, borderWidth: 0, pointRadius: 0 },
      ];
      Object.assign(chart.options.scales?.x ?? {}, {
        min: times[0],
        max: to === null ? times.at(-1) : Date.parse(to),
      });
      recolour();
      performance.measure(drawingMeasure, { start, end: performance.now() });
    },
    indexAt(pixel) {
      return nearestIndex(times, chart.scales.x?.getValueForPixel(pixel) ?? 0);
    },
    placeOf(index) {
      const { x, y } = chart.scales;
      const point = shown[index];
      const time = times[index];
      if (point === undefined || time === undefined || x === undefined || y === undefined) return null;
      const heightOf = (price: number | null) => (price === null ? null : y.getPixelForValue(price));
      const { top, bottom } = chart.chartArea;
      const heights = { median: heightOf(point.median), min: heightOf(point.min) };
      return { x: x.getPixelForValue(time), top, bottom, ...heights };
    },
    recolour,
    destroy: () => chart.destroy(),
  };
}

function colours(canvas: HTMLCanvasElement) {
  const style = getComputedStyle(canvas);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    median: read('median'),
    min: read('floor'),
    band: read('band'),
    line: read('line'),
    soft: read('soft'),
  };
}
