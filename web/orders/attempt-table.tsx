import type { OrderAttempt } from '../core/api.ts';
import { formatAmount } from '../core/figures.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Icon } from '../parts/icon.tsx';
import { Moment } from '../parts/moment.tsx';
import { stateWords } from '../rentals/instances/state-words.ts';
import { outcomeWords } from './order-words.ts';

/** The attempts of an order, newest first, with the instances that they rented. */
export function AttemptTable({ attempts, choices }: { attempts: readonly OrderAttempt[]; choices: number }) {
  if (attempts.length === 0) {
    return (
      <p class="caption">None yet. Each offer that it tries to rent is listed here with what became of it.</p>
    );
  }
  return (
    <DataTable
      label="List of attempts"
      id="attempt-table"
      stacks
      tall
      rows={attempts.toReversed()}
      keyOf={({ attempt }) => String(attempt)}
      columns={[
        { head: 'Attempt', heads: true, cell: ({ attempt }) => attempt },
        { head: 'Time', cell: ({ at }) => <Moment t={at} /> },
        { head: 'Machine', number: true, cell: ({ machineId }) => machineId },
        ...(choices > 1
          ? [{ head: 'Choice', number: true, cell: ({ choice }: OrderAttempt) => choice + 1 }]
          : []),
        {
          head: '$/hour',
          number: true,
          field: 'usdPerHour',
          title: 'As the book listed it, with the disk',
          value: ({ usdPerHour }) => usdPerHour,
          cell: ({ usdPerHour }) => formatAmount(usdPerHour, 4),
        },
        ...(attempts.some(({ bidUsdPerHour }) => bidUsdPerHour !== null)
          ? [
              {
                head: 'Bid, $/hour',
                number: true,
                title: 'The newest one, without the disk',
                field: 'bidUsdPerHour',
                value: ({ bidUsdPerHour }: OrderAttempt) => bidUsdPerHour,
                cell: ({ bidUsdPerHour }: OrderAttempt) => formatAmount(bidUsdPerHour, 4),
              },
            ]
          : []),
        {
          head: 'Outcome',
          class: (attempt) => `wraps outcome ${outcomeWords(attempt).grade}`,
          field: 'outcome',
          value: ({ outcome }) => outcome,
          cell: (attempt) => (
            <>
              <Icon name={outcomeWords(attempt).grade} /> {outcomeWords(attempt).text}
              {attempt.reason !== null && <div class="soft">{attempt.reason}</div>}
            </>
          ),
        },
        { head: 'Instance', cell: (attempt) => <RentedInstance attempt={attempt} /> },
      ]}
    />
  );
}

function RentedInstance({ attempt: { rentalId, instanceId, rentalState } }: { attempt: OrderAttempt }) {
  if (rentalId === null) return <>–</>;
  return (
    <>
      <a href={instanceId === null ? '/instances' : `/instances/${instanceId}`}>
        {instanceId === null ? 'unclear' : instanceId}
      </a>
      {rentalState !== null && <span class="soft"> {stateWords(rentalState).text}</span>}
    </>
  );
}
