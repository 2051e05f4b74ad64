import { changedQuery } from '../core/address.ts';
import { countOf } from '../core/figures.ts';

/** Says offers of how many GPUs an alert looks at, and where to choose; nothing for an alert on one machine. */
export function GpuCounts({ query, close }: { query: URLSearchParams; close: () => void }) {
  if (query.has('machineId')) return null;
  const words = gpuCountWords(query);
  return (
    <p class="caption" data-gpus={query.getAll('numGpus').join(' ')}>
      {words}{' '}
      {!query.has('numGpus') && (
        <>
          For one number only,{' '}
          <a href={`/deals?${changedQuery(query, { numGpus: '1' })}`} onClick={close}>
            choose GPUs under Filters in Deals
          </a>
          , then Alert me there.
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
