import type { ChartOptions } from 'chart.js';
import { formatAmountTick, formatCount, formatFixed } from '../../core/figures.ts';
import { roundPrices } from '../../core/round-prices.ts';
import { formatTimeTick, timeTicks } from './time-ticks.ts';
import { withMargins } from './trend-datasets.ts';

const ticksFont = { size: 11.5 };
const pixelsPerTick = 72;
const edgePixels = 22;
const maxPriceTicks = 6;

/** Minimum range after a pinch or drag, in ms. */
const minRange = 60_000;
/** A shorter drag, in CSS pixels, is a click. */
const dragThreshold = 12;

/**
 * Returns options of a trend chart, without colors; new for each chart, because Chart.js changes them. `zoomed`
 * receives the range of a drag or pinch, in ms; `limitsOf` returns the ends of the axis of prices, null: those of the data.
 */
export function trendOptions(
  drawn: 'prices' | 'levels',
  zoomed: (range: { from: number; to: number }) => void,
  limitsOf: () => { min: number; max: number } | null,
): ChartOptions<'line'> {
  const isPrices = drawn === 'prices';
  return {
    animation: false,
    parsing: false,
    normalized: true,
    responsive: true,
    maintainAspectRatio: false,
    events: [],
    elements: { point: { radius: 0, hitRadius: 0 }, line: { borderJoinStyle: 'round' } },
    plugins: {
      decimation: { enabled: true, algorithm: 'min-max' },
      zoom: {
        limits: { x: { minRange } },
        zoom: {
          mode: 'x',
          drag: { enabled: true, threshold: dragThreshold, borderWidth: 1 },
          pinch: { enabled: true },
          onZoomComplete({ chart }) {
            const { min = 0, max = 0 } = chart.scales.x ?? {};
            zoomed({ from: Math.round(min), to: Math.round(max) });
          },
        },
      },
    },
    layout: { padding: { top: 6, right: 2 } },
    scales: {
      x: {
        type: 'linear',
        border: { display: false },
        grid: { display: false },
        afterBuildTicks(axis) {
          const { width } = axis.chart;
          const pixels = (value: number) => ((value - axis.min) / (axis.max - axis.min)) * width;
          // A label at the very edge would shift the whole chart.
          axis.ticks = timeTicks(axis.min, axis.max, width / pixelsPerTick)
            .filter((value) => pixels(value) > edgePixels && pixels(value) < width - edgePixels)
            .map((value) => ({ value }));
        },
        ticks: {
          font: ticksFont,
          maxRotation: 0,
          autoSkip: false,
          callback(value) {
            return formatTimeTick(Number(value), this.max - this.min);
          },
        },
      },
      y: {
        position: 'right',
        stack: 'chart',
        stackWeight: 4,
        border: { display: false },
        grid: { drawTicks: false },
        // Ends at round prices would let outliers back in.
        bounds: isPrices ? 'data' : 'ticks',
        // A logarithmic axis has margins already.
        afterDataLimits(axis) {
          if (axis.type !== 'linear') return;
          Object.assign(axis, withMargins(limitsOf() ?? axis));
        },
        afterBuildTicks(axis) {
          if (!isPrices || axis.type !== 'linear') return;
          axis.ticks = roundPrices(axis.min, axis.max, maxPriceTicks).map((value) => ({ value }));
        },
        ticks: {
          font: ticksFont,
          maxTicksLimit: maxPriceTicks,
          padding: 8,
          callback(value, _index, ticks) {
            const [first, second] = ticks;
            const step = first && second ? second.value - first.value : Number(value);
            if (!isPrices) return formatFixed(Number(value), step < 1 ? 1 : 0);
            return formatAmountTick(Number(value), step);
          },
        },
      },
      ...(isPrices ? { supply: supplyScale() } : {}),
    },
  };
}

type Scale = NonNullable<ChartOptions<'line'>['scales']>[string];

/** Height of the axis of supply, in that of the most that is drawn. */
const supplyHeadroom = 1.5;

/** The axis of supply, below the prices: nothing and the most that is drawn. */
const supplyScale = (): Scale => ({
  position: 'right',
  stack: 'chart',
  stackWeight: 1,
  beginAtZero: true,
  bounds: 'data',
  border: { display: false },
  grid: { drawTicks: false },
  // Its title stands above the most that is drawn.
  afterDataLimits(axis) {
    axis.max *= supplyHeadroom;
  },
  afterBuildTicks(axis) {
    const most = Math.round((10 * axis.max) / supplyHeadroom) / 10;
    axis.ticks = [0, ...(most > 0 ? [most] : [])].map((value) => ({ value }));
  },
  ticks: { font: ticksFont, padding: 8, callback: (value) => formatCount(Number(value)) },
});
