import type { DryRun } from '../core/api.ts';
import { countOf, formatAmount, formatUsd } from '../core/figures.ts';
import { DataTable } from '../parts/data-table.tsx';
import { ListingLink } from '../parts/listing-link.tsx';
import { Moment } from '../parts/moment.tsx';
import { hourWords } from './order-words.ts';

/** What an order would have rented over past books. */
export function DryRunResult({ dryRun, choices }: { dryRun: DryRun; choices: number }) {
  const { from, to, books, wouldRent, rents } = dryRun;
  return (
    <div data-would-rent={wouldRent}>
      <p role="status">{dryRunWords(dryRun)}</p>
      <p class="caption">
        It would have looked at {countOf(books, 'book')} between <Moment t={from} relative={false} /> and{' '}
        <Moment t={to} relative={false} />. It cannot know whether somebody else would have taken an offer
        first.
      </p>
      {rents.length > 0 && (
        <DataTable
          label="What it would have rented"
          tall
          stacks
          rows={rents}
          keyOf={({ bookId, machineId }) => `${bookId} ${machineId}`}
          columns={[
            {
              head: 'Machine',
              heads: true,
              cell: ({ gpuName, numGpus, listingId }) => (
                <ListingLink listingId={listingId} gpuName={gpuName} numGpus={numGpus} />
              ),
            },
            { head: 'Time', cell: ({ at }) => <Moment t={at} /> },
            { head: 'After', number: true, cell: ({ hours }) => hourWords(hours) },
            ...(choices > 1
              ? [{ head: 'Choice', number: true, cell: ({ choice }: DryRun['rents'][number]) => choice + 1 }]
              : []),
            {
              head: '$/GPU-hour',
              number: true,
              field: 'usdPerGpuHour',
              value: ({ usdPerGpuHour }) => usdPerGpuHour,
              cell: ({ usdPerGpuHour }) => formatUsd(usdPerGpuHour),
            },
            { head: '$/hour', number: true, cell: ({ usdPerHour }) => formatUsd(usdPerHour) },
          ]}
        />
      )}
    </div>
  );
}

/** Returns a dry run as a sentence or two. */
export function dryRunWords({
  books,
  wouldRent,
  medianHoursToRent,
  committedUsd,
  state,
  rents,
}: DryRun): string {
  if (books === 0) return 'There is no past book to check it with yet.';
  if (wouldRent === 0) {
    return 'It would have rented nothing: no offer met its conditions. Higher prices or a wider watch may find some.';
  }
  const prices = rents.map(({ usdPerGpuHour }) => usdPerGpuHour);
  const [low, high] = [formatUsd(Math.min(...prices)), formatUsd(Math.max(...prices))];
  const within = medianHoursToRent === null ? '' : `, within ${hourWords(medianHoursToRent)} in the median`;
  const cost = committedUsd === null ? '' : `, for up to ${formatAmount(committedUsd)} in total`;
  return `It would have rented ${countOf(wouldRent, 'machine')}, at ${low === high ? low : `${low} to ${high}`}/GPU-hour${within}${cost}. ${afterwards[state ?? 'waiting'] ?? ''}`.trim();
}

const afterwards: Readonly<Record<string, string>> = {
  waiting: 'It would still be waiting for more.',
  filled: 'It would have all its machines.',
  'out-of-budget': 'Its budget would be used up.',
  expired: 'Its time would be over.',
};
