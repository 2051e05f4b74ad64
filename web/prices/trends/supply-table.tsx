import { formatAtLeast, formatCount } from '../../core/figures.ts';
import { supplyWords } from '../../parts/supply-words.ts';
import { type MomentColumn, MomentTable } from './moment-table.tsx';
import type { ShownSupply } from './named-lines.ts';

const once = 'Counted once across types';
const rounds = 'Number of times that every type had a new complete book';
const columns: readonly MomentColumn<ShownSupply['points'][number]>[] = [
  { field: 'machines', head: 'Machines', title: once, format: (point) => formatCount(point.machines) },
  {
    field: 'physicalGpus',
    head: supplyWords.physicalGpus.label,
    title: once,
    format: (point) => formatAtLeast(point.physicalGpus, point.physicalGpusIsLowerBound),
  },
  {
    field: 'rounds',
    head: 'Books of each type',
    title: rounds,
    format: (point) => formatCount(point.rounds),
  },
];

/** The combined supply of a model's types. */
export function SupplyTable({ supply: { label, points, bucket, explain } }: { supply: ShownSupply }) {
  return (
    <MomentTable
      caption={`${label}: mean per round. A round is one complete book of each type.`}
      moment={bucket === 'book' ? 'Round' : 'From'}
      bucket={bucket}
      points={points}
      explain={explain}
      columns={columns}
    />
  );
}
