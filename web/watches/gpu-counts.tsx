import { changedQuery } from '../core/address.ts';
import type { App } from '../core/app.ts';
import { countOf } from '../core/figures.ts';
import { dealsQuery, statedTrust } from '../prices/deals/reliable-query.ts';

interface Props {
  app: App;
  /** The offers that the alert looks at. */
  query: URLSearchParams;
  close: () => void;
}

/** Says offers of how many GPUs an alert looks at, and where to have it look at one; nothing for an alert on one machine. */
export function GpuCounts({ app, query, close }: Props) {
  if (query.has('machineId')) return null;
  const trust = statedTrust(query, app.markets.value, app.status.state.value.data);
  const words = gpuCountWords(query);
  return (
    <p class="caption" data-gpus={query.getAll('numGpus').join(' ')}>
      {words}{' '}
      {!query.has('numGpus') && (
        <>
          For 1 GPU only, open{' '}
          <a href={`/deals?${changedQuery(dealsQuery(query, trust), { numGpus: '1' })}`} onClick={close}>
            the offers with 1 GPU in Deals
          </a>{' '}
          and choose Alert me there.
        </>
      )}
    </p>
  );
}

/** Returns offers of how many GPUs count: `Only offers of 1 or 2 GPUs count.` */
export function gpuCountWords(query: URLSearchParams): string {
  const counts = query.getAll('numGpus').map(Number);
  if (counts.length === 0)
    return 'Offers of any number of GPUs count, and each is rented whole, perhaps 4 or 8 GPUs.';
  const last = counts.at(-1) ?? 1;
  return `Only offers of ${counts
    .slice(0, -1)
    .map((count) => `${count} or `)
    .join('')}${countOf(last, 'GPU')} count.`;
}
