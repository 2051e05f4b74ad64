import { useState } from 'preact/hooks';
import type { Bucket, TrendPoint } from './api.ts';
import { formatCount, formatFixed, priceDecimals } from './figures.ts';
import { bucketTitle, formatBucket } from './times.ts';

const prices = ['min', 'p10', 'p25', 'median', 'p75', 'p90', 'max'] as const;
const counts = ['offers', 'machines', 'gpus', 'physicalGpus', 'books', 'observations'] as const;
const labels: Record<(typeof prices)[number] | (typeof counts)[number], string> = {
  min: 'min',
  p10: 'p10',
  p25: 'p25',
  median: 'median',
  p75: 'p75',
  p90: 'p90',
  max: 'max',
  offers: 'offers',
  machines: 'machines',
  gpus: 'GPUs listed',
  physicalGpus: 'GPUs',
  books: 'books',
  observations: 'observations',
};

/**
 * The chart's values as a table, newest first, made when it is opened. Every cell carries the API's own number
 * in `data-value` and its name in `data-field`.
 */
export function TrendTable({ points, bucket }: { points: readonly TrendPoint[]; bucket: Bucket }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="values" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Values as a table</summary>
      {open && (
        <section class="scroll" aria-label="Values of the chart">
          <ValueTable points={points} bucket={bucket} />
        </section>
      )}
    </details>
  );
}

function ValueTable({ points, bucket }: { points: readonly TrendPoint[]; bucket: Bucket }) {
  const decimals = priceDecimals(points.map((point) => point.min));
  return (
    <table id="trend-values">
      <caption>US dollars per GPU-hour; offers, machines and GPUs are means a complete book.</caption>
      <thead>
        <tr>
          <th scope="col">{bucket === 'book' ? 'book' : 'bucket'}</th>
          {[...prices, ...counts].map((field) => (
            <th scope="col" class="number" key={field}>
              {labels[field]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points.toReversed().map((point) => (
          <tr key={point.t} data-t={point.t}>
            <th scope="row">
              <time dateTime={point.t} title={bucketTitle(point.t, bucket)}>
                {formatBucket(point.t, bucket)}
              </time>
            </th>
            {prices.map((field) => (
              <td key={field} class="number" data-field={field} data-value={point[field]}>
                {formatFixed(point[field], decimals)}
              </td>
            ))}
            {counts.map((field) => (
              <td key={field} class="number" data-field={field} data-value={point[field]}>
                {formatCount(point[field])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
