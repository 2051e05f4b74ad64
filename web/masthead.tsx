import type { Status } from './api.ts';
import { formatAge, formatMoment, formatUtc } from './times.ts';

const modeLabels = { simulated: 'simulated', replay: 'recorded', live: 'live' } as const;

/**
 * The page's head: the program, the market and its mode, and how old the data is. `minutesSince`: how long ago
 * the status was answered.
 */
export function Masthead({ status, minutesSince = 0 }: { status: Status | null; minutesSince?: number }) {
  return (
    <header class="masthead">
      <a class="brand" href="/">
        <img src="/favicon.svg" alt="" width="26" height="26" />
        <h1>Offerbook</h1>
      </a>
      {status !== null && (
        <p class="market">
          <strong>{status.market.name}</strong>
          <span class={`mode ${status.mode}`}>{modeLabels[status.mode]}</span>
        </p>
      )}
      {status !== null && <DataAge status={status} minutesSince={minutesSince} />}
    </header>
  );
}

function DataAge({ status, minutesSince }: { status: Status; minutesSince: number }) {
  const newest = status.newestBooks
    .map((book) => book.observedAt)
    .toSorted()
    .at(-1);
  if (newest === undefined) return <p class="age">No book yet</p>;
  return (
    <p class="age">
      Newest book{' '}
      <time dateTime={newest} title={formatUtc(newest)}>
        {formatMoment(newest)}
      </time>
      {status.dataAgeMinutes !== null && <span> · {formatAge(status.dataAgeMinutes + minutesSince)}</span>}
    </p>
  );
}
