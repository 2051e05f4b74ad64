import {
  Chart,
  Decimation,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  type Plugin,
  type Point,
  PointElement,
} from 'chart.js';
import zoom from 'chartjs-plugin-zoom';
import { createPalette } from '../../core/palette.ts';
import { type DrawnPoint, type DrawnSeries, type DrawnSupply, trendDatasets } from './trend-datasets.ts';
import type { TrendLimits } from './trend-limits.ts';
import { trendOptions } from './trend-options.ts';

Chart.register(LineController, LineElement, PointElement, LinearScale, LogarithmicScale);
// Its types are for CommonJS; the page uses its ES module, whose default export is the plugin.
Chart.register(Decimation, Filler, zoom as unknown as Plugin);

export interface DrawnTrend {
  series: readonly DrawnSeries<DrawnPoint>[];
  /** For models drawn with several types. */
  supply: readonly DrawnSupply[];
  /** Ends of the time axis, ms; null: those of the points. */
  from: number | null;
  to: number | null;
  log: boolean;
  /** Ends of the axis of prices; null: those of the points. */
  limits: Pick<TrendLimits, 'min' | 'max'> | null;
}

/** A time's position on the canvas, in CSS pixels from its left edge, and the heights of the medians there. */
export interface Crossing {
  x: number;
  top: number;
  bottom: number;
  spots: { y: number; color: number }[];
}

/** A trend drawn on a canvas. */
export interface TrendCanvas {
  show(trend: DrawnTrend): void;
  /** Returns the moment (ms) at a pixel. */
  timeAt(pixel: number): number;
  /** Returns the pixel of a moment. */
  pixelOf(time: number): number;
  crossingAt(time: number, points: readonly (DrawnPoint | undefined)[]): Crossing | null;
  /** Returns the upper edge of the supply below the prices, in CSS pixels; null: none is drawn. */
  supplyTop(): number | null;
  /** Reads the colors from the style sheet again, after a theme change. */
  recolor(): void;
  destroy(): void;
}

/** Performance measure of the last drawing, from new points to the drawn canvas. */
const drawingMeasure = 'draw-trend';
/**
 * Draws prices or index levels on `canvas` in the colors of the style sheet's custom properties. Calls `resized` when
 * positions have changed, and `zoomed` with the range that the reader drags or pinches.
 */
export function createTrendCanvas(
  canvas: HTMLCanvasElement,
  drawn: 'prices' | 'levels',
  resized: () => void,
  zoomed: (range: { from: number; to: number }) => void,
): TrendCanvas {
  const palette = createPalette(canvas);
  let shown: DrawnTrend = { series: [], supply: [], from: null, to: null, log: false, limits: null };
  const chart = new Chart<'line', Point[]>(canvas, {
    type: 'line',
    data: { datasets: [] },
    options: trendOptions(drawn, zoomed, () => shown.limits),
  });
  // The zoom plugin takes every touch; vertical ones must scroll the page.
  canvas.style.touchAction = 'pan-y';
  // The layout happens right after this.
  chart.options.onResize = () => queueMicrotask(resized);

  function draw(): void {
    const scales = chart.options.scales ?? {};
    Object.assign(scales.x ?? {}, endsOf(shown));
    Object.assign(scales.y ?? {}, { type: shown.log ? 'logarithmic' : 'linear' });
    for (const scale of Object.values(scales)) {
      Object.assign(scale?.ticks ?? {}, { color: palette.soft() });
      Object.assign(scale?.grid ?? {}, { color: palette.line() });
    }
    const selection = { borderColor: palette.accent(), backgroundColor: palette.accent(0.14) };
    Object.assign(chart.options.plugins?.zoom?.zoom?.drag ?? {}, selection);
    chart.data.datasets = trendDatasets(shown.series, shown.supply, palette);
    chart.update('none');
  }

  return {
    show(trend) {
      const start = performance.now();
      shown = trend;
      draw();
      // Only the last is kept, because a page that stays open for weeks draws often.
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
        return [{ y: y.getPixelForValue(point.median), color: series.color }];
      });
      const { top, bottom } = chart.chartArea;
      return { x: x.getPixelForValue(time), top, bottom, spots };
    },
    supplyTop: () => chart.scales.supply?.top ?? null,
    recolor() {
      palette.refresh();
      draw();
    },
    destroy: () => chart.destroy(),
  };
}

/** What is shown on either side of a single moment, which would else be at the edge or on an axis of decades. */
const aroundOneMs = 12 * 3_600_000;

function endsOf({ series, from, to }: DrawnTrend): { min: number | undefined; max: number | undefined } {
  const present = series.filter(({ faint }) => !faint);
  const times = present.flatMap(({ times }) => [times[0] ?? [], times.at(-1) ?? []].flat());
  const [first, last] = [Math.min(...times), Math.max(...times)];
  if (from === null && first === last) return { min: first - aroundOneMs, max: last + aroundOneMs };
  const min = from ?? (times.length === 0 ? undefined : first);
  const ahead = present.flatMap(({ expected = [] }) => expected.map(({ t }) => t));
  const ends = to === null ? [...times, ...ahead] : [to, ...ahead];
  return { min, max: ends.length === 0 ? undefined : Math.max(...ends) };
}
