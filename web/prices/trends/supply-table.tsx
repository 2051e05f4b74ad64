import { formatAtLeast, formatCount } from '../../core/figures.ts';
import { supplyWords } from '../../parts/supply-words.ts';
import { type MomentColumn, MomentTable } from './moment-table.tsx';
import type { ShownSupply } from './named-lines.ts';

const once = 'Each once, whichever type offers it';
const rounds = 'Moments at which each type had another complete book';
const columns: readonly MomentColumn<ShownSupply['points'][number]>[] = [
  { field: 'machines', head: 'machines', title: once, format: (point) => formatCount(point.machines) },
  {
    field: 'physicalGpus',
    head: supplyWords.physicalGpus.label,
    title: once,
    format: (point) => formatAtLeast(point.physicalGpus, point.physicalGpusIsLowerBound),
  },
  { field: 'rounds', head: 'rounds', title: rounds, format: (point) => formatCount(point.rounds) },
];

/** What the types of a model offer together. */
export function SupplyTable({ supply: { label, points, bucket } }: { supply: ShownSupply }) {
  return (
    <MomentTable
      caption={`${label}: means a round of complete books, one of each type.`}
      moment={bucket === 'book' ? 'round' : 'bucket'}
      bucket={bucket}
      points={points}
      columns={columns}
    />
  );
}
