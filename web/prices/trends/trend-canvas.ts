import { Chart, LinearScale, LogarithmicScale, type Scale } from 'chart.js';
import type { TrendPoint } from '../../core/api.ts';
import { createPalette } from '../../core/palette.ts';
import { fillBelow, fillBetween, strokeLine } from './draw-lines.ts';
import {
  type DrawnLines,
  type DrawnSeries,
  type DrawnSupply,
  heightsOf,
  linesOf,
  withMargins,
} from './drawn-lines.ts';
import { trendOptions } from './trend-options.ts';

Chart.register(LinearScale, LogarithmicScale);

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
/** How far a line may reach over the edge of its area, CSS pixels. */
const overlap = 2;
/** Pixels of the screen in a column, of which the lowest and the highest spot are drawn: about as many as a line is wide. */
const columnWidth = 2;

/**
 * Draws on `canvas` in the colours that the style sheet gives it as custom properties. `resized` is called once moments
 * have other places. The library lays out the axes; the lines are drawn here, because it would make several objects of
 * each of their points.
 */
export function createTrendCanvas(canvas: HTMLCanvasElement, resized: () => void): TrendCanvas {
  const palette = createPalette(canvas);
  let shown: DrawnTrend = { series: [], supply: [], from: null, to: null, log: false };
  let lines: DrawnLines = { bands: [], prices: [], supply: [] };
  const chart = new Chart<'line', never[]>(canvas, {
    type: 'line',
    data: { datasets: [] },
    options: trendOptions(),
    plugins: [{ id: 'lines', beforeDatasetsDraw: (chart) => drawLines(chart, lines, palette) }],
  });
  chart.options.onResize = () => {
    // A wider canvas shows more of the points. It is drawn at once after this.
    lay();
    queueMicrotask(resized);
  };

  /** Takes the lines of what is shown, as many spots as the canvas can show, and the axes that they need. */
  function lay(): void {
    const { min, max } = endsOf(shown);
    const count = (chart.width * chart.currentDevicePixelRatio) / columnWidth;
    const columns = { from: min ?? 0, to: max ?? 0, count };
    lines = linesOf(shown.series, shown.supply, columns);
    const { bands, prices, supply } = lines;
    const sides = [...bands.flatMap(({ low, high }) => [low, high]), ...prices.map(({ spots }) => spots)];
    const heights = heightsOf(sides, columns);
    const counts = heightsOf(
      supply.map(({ spots }) => spots),
      columns,
    );
    const scales = chart.options.scales ?? {};
    Object.assign(scales.x ?? {}, { min, max });
    Object.assign(scales.y ?? {}, {
      type: shown.log ? 'logarithmic' : 'linear',
      ...withMargins(heights, shown.log),
    });
    Object.assign(scales.supply ?? {}, { suggestedMax: counts?.highest });
    for (const scale of Object.values(scales)) {
      Object.assign(scale?.ticks ?? {}, { color: palette.soft() });
      Object.assign(scale?.grid ?? {}, { color: palette.line() });
    }
  }

  return {
    show(trend) {
      const start = performance.now();
      shown = trend;
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
      lay();
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

/** Where each value of a scale is, CSS pixels; a linear scale is not asked for each of thousands. */
function pixelsOf(scale: Scale): (value: number) => number {
  if (scale.type !== 'linear') return (value) => scale.getPixelForValue(value);
  const { min, max } = scale;
  const first = scale.getPixelForValue(min);
  const perUnit = (scale.getPixelForValue(max) - first) / (max - min || 1);
  return (value) => first + (value - min) * perUnit;
}

type Palette = ReturnType<typeof createPalette>;

function drawLines({ ctx, chartArea, scales }: Chart<'line'>, lines: DrawnLines, palette: Palette): void {
  const { x, y, supply } = scales;
  if (x === undefined || y === undefined || supply === undefined) return;
  const along = pixelsOf(x);
  const prices = { x: along, y: pixelsOf(y) };
  const counts = { x: along, y: pixelsOf(supply) };
  const { left, top, width, height } = chartArea;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left - overlap, top - overlap, width + 2 * overlap, height + 2 * overlap);
  ctx.clip();
  ctx.lineJoin = 'round';
  for (const { low, high, colour } of lines.bands) {
    ctx.fillStyle = palette.series(colour, 0.15);
    fillBetween(ctx, low, high, prices);
  }
  for (const [scales, drawn] of [
    [prices, lines.prices],
    [counts, lines.supply],
  ] as const) {
    for (const { spots, colour, faint, width, dash, stepped, filled } of drawn) {
      if (filled) {
        ctx.fillStyle = palette.series(colour, 0.18);
        fillBelow(ctx, spots, scales, stepped, supply.bottom);
      }
      ctx.strokeStyle = ctx.fillStyle = palette.series(colour, faint ? 0.45 : 1);
      ctx.lineWidth = width;
      ctx.setLineDash(dash as number[]);
      strokeLine(ctx, spots, scales, stepped);
    }
  }
  ctx.restore();
}
