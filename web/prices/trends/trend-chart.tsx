import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SupplyPoint } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import { Icon } from '../../parts/icon.tsx';
import { supplyWords } from '../../parts/supply-words.ts';
import { ChartMarks, CutMarks, MarkLegend } from './chart-marks.tsx';
import type { ShownSeries, ShownSupply } from './named-lines.ts';
import { type Crossing, createTrendCanvas, type TrendCanvas } from './trend-canvas.ts';
import type { DrawnPoint } from './trend-datasets.ts';
import type { TrendLimits } from './trend-limits.ts';
import { nearestIndex, pointAt } from './trend-lines.ts';
import type { Mark } from './trend-marks.ts';
import { movedRange } from './trend-request.ts';

/** The points of each line at one moment. */
export interface PointsShown<Point> {
  points: readonly (Point | undefined)[];
  together: readonly (SupplyPoint | undefined)[];
  newest: boolean;
}

interface Props<Point extends DrawnPoint> {
  app: App;
  drawn: 'prices' | 'levels';
  series: readonly ShownSeries<Point>[];
  supply: readonly ShownSupply[];
  /** Additional lines without figures: earlier ones, drawn faint, and list prices. */
  earlier: readonly ShownSeries<Point>[];
  from: number | null;
  to: number | null;
  log: boolean;
  /** Ends of the axis of prices; null: those of the points. */
  limits: Pick<TrendLimits, 'min' | 'max' | 'above'> | null;
  marks: readonly Mark[];
  /** The figures of a moment, above the chart, and in words for screen readers. */
  figures: (shown: PointsShown<Point>) => ComponentChildren;
  words: (shown: PointsShown<Point>) => string;
  /** Shows another range. */
  zoom: (range: { from: number; to: number } | null) => void;
}

/**
 * The chart, and above it the figures of one moment: the newest, or the one at the pointer or selected with the arrow
 * keys. A drag or pinch zooms in; on the keyboard `+`, `−` and shift with the arrows zoom and move.
 */
export function TrendChart<Point extends DrawnPoint>(props: Props<Point>) {
  const { app, series, supply, earlier, from, to, log, limits, marks, zoom } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<TrendCanvas | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const latestZoom = useRef(zoom);
  latestZoom.current = zoom;
  const [, setDrawings] = useState(0);
  const timeline = useMemo(() => timelineOf(series), [series]);
  const last = timeline.length - 1;
  const index = chosen === null ? last : Math.min(chosen, last);
  const time = timeline[index] ?? 0;
  const points = series.map(({ points, times, bucket }) => pointAt(points, times, bucket, time));
  const together = supply.map(({ points, times, bucket }) => pointAt(points, times, bucket, time));
  const shown = { points, together, newest: index === last };

  useEffect(() => {
    if (canvas.current === null) return;
    const created = createTrendCanvas(
      canvas.current,
      props.drawn,
      () => setDrawings((count) => count + 1),
      (range) => latestZoom.current(range),
    );
    drawn.current = created;
    return () => created.destroy();
  }, []);
  useEffect(() => {
    drawn.current?.show({ series: [...series, ...earlier], supply, from, to, log, limits });
    setDrawings((count) => count + 1);
  }, [series, supply, earlier, from, to, log, limits]);
  const colors = app.theme.version.value;
  const drawnIn = useRef(colors);
  useEffect(() => {
    if (drawnIn.current !== colors) drawn.current?.recolor();
    drawnIn.current = colors;
  }, [colors]);

  const pixelIn = (event: MouseEvent) =>
    event.clientX - (event.currentTarget as HTMLElement).getBoundingClientRect().left;
  const shownRange = { from: from ?? timeline[0] ?? 0, to: to ?? timeline[last] ?? 0 };

  const pressedAt = useRef(0);
  function explainAt(moment: number) {
    const found = series.flatMap(({ points, times, bucket, explain }) => {
      const point = pointAt(points, times, bucket, moment);
      return point === undefined ? [] : [explain(point.t)];
    });
    if (found[0] !== undefined) app.address.open({ explain: found[0] });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey
      ? null
      : ({ ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[event.key] ?? null);
    const moves: Record<string, Parameters<typeof movedRange>[1]> = {
      '+': { zoom: 0.5, around: time },
      '=': { zoom: 0.5, around: time },
      '-': { zoom: 2, around: time },
      ...(event.shiftKey ? { ArrowLeft: { pan: -0.25 }, ArrowRight: { pan: 0.25 } } : {}),
    };
    const move = moves[event.key];
    if (event.key === 'Escape') setChosen(null);
    else if (event.key === 'Enter') explainAt(time);
    else if (event.key === '0') zoom(null);
    else if (move !== undefined) zoom(movedRange(shownRange, move));
    else if (step !== null) setChosen(Math.max(0, Math.min(last, step)));
    else return;
    event.preventDefault();
  }

  return (
    <>
      {props.figures(shown)}
      <div class="chart-box">
        <div
          class="chart"
          role="slider"
          tabIndex={0}
          aria-label="Time in the price trend"
          aria-describedby="chart-keys"
          aria-valuemin={1}
          aria-valuemax={Math.max(1, timeline.length)}
          aria-valuenow={index + 1}
          aria-valuetext={props.words(shown)}
          onKeyDown={onKeyDown}
          onBlur={() => setChosen(null)}
          onPointerMove={(event) =>
            setChosen(nearestIndex(timeline, drawn.current?.timeAt(pixelIn(event)) ?? 0))
          }
          onPointerLeave={() => setChosen(null)}
          onPointerDown={({ clientX }) => {
            pressedAt.current = clientX;
          }}
          onClick={(event) => {
            const isDrag = Math.abs(event.clientX - pressedAt.current) > maxStillPixels;
            const nearest = nearestIndex(timeline, drawn.current?.timeAt(pixelIn(event)) ?? 0);
            if (!isDrag) explainAt(timeline[nearest] ?? 0);
          }}
        >
          <canvas ref={canvas} />
          {chosen !== null && <Guide crossing={drawn.current?.crossingAt(time, points) ?? null} />}
        </div>
        <SupplyTitle top={drawn.current?.supplyTop() ?? null} />
        <CutMarks
          times={limits?.above ?? []}
          pixelOf={(t) => drawn.current?.pixelOf(t) ?? -1}
          range={shownRange}
        />
        <MarkLegend marks={marks} range={shownRange} top={drawn.current?.supplyTop() ?? null} />
        <ChartMarks marks={marks} pixelOf={(t) => drawn.current?.pixelOf(t) ?? -1} range={shownRange} />
      </div>
      <div class="chart-tools">
        <p id="chart-keys" class="soft wide">
          Drag to zoom; click a point to see how it was computed. Keys: left and right arrow move the cursor,
          Enter explains, plus and minus zoom, Shift with an arrow pans, 0 resets.
        </p>
        <span class="buttons">
          {tools.map(({ label, icon, move }) => (
            <button
              key={label}
              type="button"
              class="quiet"
              aria-label={label}
              title={label}
              onClick={() => zoom(move === null ? null : movedRange(shownRange, move))}
            >
              <Icon name={icon} />
            </button>
          ))}
        </span>
      </div>
    </>
  );
}

/** A pointer that moves no further than this is not a drag. */
const maxStillPixels = 4;

const tools = [
  { label: 'Earlier', icon: 'left', move: { pan: -0.5 } },
  { label: 'Later', icon: 'right', move: { pan: 0.5 } },
  { label: 'Zoom in', icon: 'plus', move: { zoom: 0.5 } },
  { label: 'Zoom out', icon: 'minus', move: { zoom: 2 } },
  { label: 'Reset zoom', icon: 'reset', move: null },
] as const;

/** What the lower part of the chart shows. */
const SupplyTitle = ({ top }: { top: number | null }) =>
  top === null ? null : (
    <span class="panel-title" style={{ transform: `translateY(${top}px)` }}>
      {supplyWords.physicalGpus.label}
    </span>
  );

function Guide({ crossing }: { crossing: Crossing | null }) {
  if (crossing === null) return null;
  const { x, top, bottom, spots } = crossing;
  return (
    <>
      <div class="guide" style={{ transform: `translate(${x}px, ${top}px)`, height: `${bottom - top}px` }} />
      {spots.map(({ y, color }) => (
        <div
          key={color + y}
          class={`spot s${color % 6}`}
          style={{ transform: `translate(${x}px, ${y}px)` }}
        />
      ))}
    </>
  );
}

function timelineOf(series: readonly ShownSeries<DrawnPoint>[]): readonly number[] {
  const [first, ...others] = series;
  if (first === undefined || others.length === 0) return first?.times ?? [];
  return [...new Set(series.flatMap(({ times }) => times))].toSorted((a, b) => a - b);
}
