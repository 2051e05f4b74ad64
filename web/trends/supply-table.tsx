import { formatCount } from '../core/figures.ts';
import { bucketTitle, formatBucket } from '../core/times.ts';
import type { ShownSupply } from './trend-chart.tsx';

const counts = ['machines', 'physicalGpus', 'rounds'] as const;
const heads: Record<(typeof counts)[number], { text: string; title: string }> = {
  machines: { text: 'machines', title: 'Each once, whichever type offers it' },
  physicalGpus: { text: 'GPUs', title: 'Each once, whichever type offers it' },
  rounds: { text: 'rounds', title: 'Moments at which each type had another complete book' },
};

/** What the types of a model offer together, newest first; cells as those of the prices. */
export function SupplyTable({ supply: { label, points, bucket } }: { supply: ShownSupply }) {
  return (
    <table id="trend-values">
      <caption>{label}: means a round of complete books, one of each type.</caption>
      <thead>
        <tr>
          <th scope="col">{bucket === 'book' ? 'round' : 'bucket'}</th>
          {counts.map((field) => (
            <th scope="col" class="number" key={field} title={heads[field].title}>
              {heads[field].text}
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
