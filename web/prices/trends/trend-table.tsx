import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { TrendPoint } from '../../core/api.ts';
import { formatAtLeast, formatPrice } from '../../core/figures.ts';
import { Select } from '../../parts/choice.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { supplyWords } from '../../parts/supply-words.ts';
import { MomentTable } from './moment-table.tsx';
import type { ShownSeries, ShownSupply } from './named-lines.ts';
import { SupplyTable } from './supply-table.tsx';

const prices = ['min', 'p10', 'p25', 'median', 'p75', 'p90', 'max'] as const;
const counts = ['offers', 'machines', 'gpus', 'physicalGpus', 'books', 'observations'] as const;
const heads: Partial<Record<string, string>> = {
  min: 'Lowest',
  median: 'Median',
  max: 'Highest',
  offers: 'All offers',
  machines: 'Machines',
  books: 'Books',
  observations: 'Observations',
  gpus: supplyWords.gpus.label,
  physicalGpus: supplyWords.physicalGpus.label,
};

interface Props {
  /** Creates the table of a line when it is chosen. */
  lines: readonly { label: string; table: () => ComponentChildren }[];
}

/** The chart's values as a table, newest first, one line at a time, created when it is opened. */
export function TrendTable({ lines }: Props) {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState('');
  const shown = lines.find(({ label }) => label === wanted) ?? lines[0];
  return (
    <details class="values" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Show as table</summary>
      {open && shown !== undefined && (
        <>
          {lines.length > 1 && (
            <Select
              label="Series"
              name="line"
              options={lines.map(({ label }) => ({ value: label, label }))}
              value={shown.label}
              choose={setWanted}
            />
          )}
          <Scroll label="Chart values" tall>
            {shown.table()}
          </Scroll>
        </>
      )}
    </details>
  );
}

/** The tables of prices and of supply, one per line. */
export const priceTables = (series: readonly ShownSeries[], supply: readonly ShownSupply[], unit: string) => [
  ...series.map((each) => ({ label: each.label, table: () => <ValueTable series={each} unit={unit} /> })),
  ...supply.map((each) => ({ label: each.label, table: () => <SupplyTable supply={each} /> })),
];

function ValueTable({
  series: { points, bucket, label, explain },
  unit,
}: {
  series: ShownSeries;
  unit: string;
}) {
  return (
    <MomentTable
      caption={`${label}: ${unit}; offers, machines and GPUs are means per complete book.`}
      moment={bucket === 'book' ? 'Book' : 'From'}
      bucket={bucket}
      points={points}
      explain={explain}
      columns={[
        ...prices.map((field) => ({
          field,
          head: heads[field] ?? field,
          format: (point: TrendPoint) => formatPrice(point[field]),
        })),
        ...counts.map((field) => ({
          field,
          head: heads[field] ?? field,
          format: (point: TrendPoint) =>
            formatAtLeast(point[field], field === 'physicalGpus' && point.physicalGpusIsLowerBound),
        })),
      ]}
    />
  );
}
