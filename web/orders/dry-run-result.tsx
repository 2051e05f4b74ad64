import type { DryRun } from '../core/api.ts';
import { countOf, formatAmount, formatShare, formatUsd } from '../core/figures.ts';
import { DataTable } from '../parts/data-table.tsx';
import { ListingLink } from '../parts/listing-link.tsx';
import { Moment } from '../parts/moment.tsx';
import { hourWords } from './order-words.ts';

/** What an order would have rented over past books. */
export function DryRunResult({ dryRun, choices }: { dryRun: DryRun; choices: number }) {
  // A dry run stored by an earlier version knows nothing of bids.
  const { from, to, books, wouldRent, rents, bidChances = [] } = dryRun;
  return (
    <div data-would-rent={wouldRent}>
      <p role="status">{dryRunWords(dryRun)}</p>
      <p class="caption">
        It would have looked at {countOf(books, 'book')} between <Moment t={from} relative={false} /> and{' '}
        <Moment t={to} relative={false} />. It cannot know whether somebody else would have taken an offer
        first.
      </p>
      {bidChances
        .filter(({ hours }) => hours === 24)
        .map(({ choice, raisePercent, share, cases }) => (
          <p key={choice} class="caption" data-bid-chance={choice}>
            {choices > 1 && `Choice ${choice + 1}: `}
            {share === null
              ? `How long bids ${raisePercent}% above the minimum last is not known yet.`
              : `Of ${countOf(cases, 'past bid')} ${raisePercent}% above the minimum, ${formatShare(share, 0)} were not outbid within a day.`}
          </p>
        ))}
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
            ...(rents.some(({ bidUsdPerHour }) => bidUsdPerHour != null)
              ? [
                  {
                    head: 'First bid, $/hour',
                    number: true,
                    title: 'Without the disk',
                    cell: ({ bidUsdPerHour }: DryRun['rents'][number]) => formatUsd(bidUsdPerHour ?? null),
                  },
                ]
              : []),
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
