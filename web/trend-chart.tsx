import { useEffect, useRef, useState } from 'preact/hooks';
import type { Bucket, TrendPoint } from './api.ts';
import { formatCount, formatUsd, priceDecimals } from './figures.ts';
import { bucketTitle, formatBucket } from './times.ts';
import { createTrendCanvas, type PointPlace, type TrendCanvas } from './trend-canvas.ts';

interface Props {
  points: readonly TrendPoint[];
  bucket: Bucket;
  /** End of the time axis; null: the newest point. */
  to: string | null;
}

/**
 * The chart and above it the figures of one point: the newest, or the one under the pointer or chosen with the
 * arrow keys. The row of figures is the legend too.
 */
export function TrendChart({ points, bucket, to }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<TrendCanvas | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const last = points.length - 1;
  const index = chosen === null ? last : Math.min(chosen, last);
  const point = points[index];

  useEffect(() => {
    if (canvas.current === null) return;
    const created = createTrendCanvas(canvas.current);
    drawn.current = created;
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', created.recolour);
    return () => {
      dark.removeEventListener('change', created.recolour);
      created.destroy();
    };
  }, []);
  useEffect(() => drawn.current?.show(points, bucket, to), [points, bucket, to]);

  function onKeyDown(event: KeyboardEvent) {
    const target = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[event.key];
    if (event.key === 'Escape') setChosen(null);
    if (target === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(last, target)));
  }

  return (
    <>
      {point !== undefined && <PointFigures point={point} bucket={bucket} newest={index === last} />}
      <div
        class="chart"
        role="slider"
        tabIndex={0}
        aria-label="Point of the price trend"
        aria-valuemin={1}
        aria-valuemax={points.length}
        aria-valuenow={index + 1}
        aria-valuetext={point === undefined ? 'no data' : inWords(point, bucket)}
        onKeyDown={onKeyDown}
        onBlur={() => setChosen(null)}
        onPointerMove={(event) =>
          setChosen(
            drawn.current?.indexAt(event.clientX - event.currentTarget.getBoundingClientRect().left) ?? null,
          )
        }
        onPointerLeave={() => setChosen(null)}
      >
        <canvas ref={canvas} />
        {chosen !== null && <Guide place={drawn.current?.placeOf(index) ?? null} />}
      </div>
    </>
  );
}

function Guide({ place }: { place: PointPlace | null }) {
  if (place === null) return null;
  const { x, top, bottom, median, min } = place;
  const move = (y: number) => ({ transform: `translate(${x}px, ${y}px)` });
  return (
    <>
      <div class="guide" style={{ ...move(top), height: `${bottom - top}px` }} />
      {min !== null && <div class="spot floor" style={move(min)} />}
      {median !== null && <div class="spot" style={move(median)} />}
    </>
  );
}

const inWords = (point: TrendPoint, bucket: Bucket) =>
  `${formatBucket(point.t, bucket)}: median ${formatUsd(point.median)}, 10th to 90th percentile ` +
  `${formatUsd(point.p10)} to ${formatUsd(point.p90)}, minimum ${formatUsd(point.min)}, ` +
  `${formatCount(point.offers)} offers`;

function PointFigures({ point, bucket, newest }: { point: TrendPoint; bucket: Bucket; newest: boolean }) {
  const usd = (value: number | null) => formatUsd(value, priceDecimals([point.min, point.median]));
  const mean = bucket === 'book' ? undefined : 'Mean of the complete books of this bucket';
  return (
    <dl class="figures" data-point={point.t}>
      <div>
        <dt>{newest ? 'Newest point' : 'Point'}</dt>
        <dd>
          <time dateTime={point.t} title={bucketTitle(point.t, bucket)}>
            {formatBucket(point.t, bucket)}
          </time>
        </dd>
      </div>
      <div class="key-median">
        <dt>Median</dt>
        <dd class="main">{usd(point.median)}</dd>
      </div>
      <div class="key-band">
        <dt>
          <abbr title="10th to 90th percentile: eight of ten offers are in this band">p10–p90</abbr>
        </dt>
        <dd>
          {usd(point.p10)} – {usd(point.p90)}
        </dd>
      </div>
      <div class="key-floor">
        <dt>Minimum</dt>
        <dd>{usd(point.min)}</dd>
      </div>
      <div title={mean}>
        <dt>Offers</dt>
        <dd>{formatCount(point.offers)}</dd>
      </div>
      <div title={mean}>
        <dt>Machines</dt>
        <dd>{formatCount(point.machines)}</dd>
      </div>
      <div title={`${mean ?? 'Physical GPUs'}; overlapping chunks of a machine counted once`}>
        <dt>GPUs</dt>
        <dd>{formatCount(point.physicalGpus)}</dd>
      </div>
    </dl>
  );
}
