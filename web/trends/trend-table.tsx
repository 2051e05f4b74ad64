import { useState } from 'preact/hooks';
import { formatCount, formatFixed, priceDecimals } from '../core/figures.ts';
import { bucketTitle, formatBucket } from '../core/times.ts';
import { Select } from '../parts/choice.tsx';
import { Scroll } from '../parts/scroll.tsx';
import { SupplyTable } from './supply-table.tsx';
import type { ShownSeries, ShownSupply } from './trend-chart.tsx';

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

interface Props {
  series: readonly ShownSeries[];
  supply: readonly ShownSupply[];
  unit: string;
}

/**
 * The chart's values as a table, newest first, one line of the chart at a time, made when it is opened. Every
 * cell carries the API's own number in `data-value` and its name in `data-field`.
 */
export function TrendTable({ series, supply, unit }: Props) {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState('');
  const lines = [...series, ...supply];
  const together = supply.find(({ label }) => label === wanted);
  const shown = series.find(({ label }) => label === wanted) ?? series[0];
  return (
    <details class="values" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Values as a table</summary>
      {open && shown !== undefined && (
        <>
          {lines.length > 1 && (
            <Select
              label="Line"
              name="line"
              options={lines.map(({ label }) => ({ value: label, label }))}
              value={(together ?? shown).label}
              choose={setWanted}
            />
          )}
          <Scroll label="Values of the chart" tall>
            {together === undefined ? (
              <ValueTable series={shown} unit={unit} />
            ) : (
              <SupplyTable supply={together} />
            )}
          </Scroll>
        </>
      )}
    </details>
  );
}

function ValueTable({ series: { points, bucket, label }, unit }: { series: ShownSeries; unit: string }) {
  const decimals = priceDecimals(points.map((point) => point.min));
  return (
    <table id="trend-values">
      <caption>
        {label}: {unit}; offers, machines and GPUs are means a complete book.
      </caption>
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
