import { alarmsOf } from '../core/alarms.ts';
import type { Status } from '../core/api.ts';
import { countOf, formatCount } from '../core/figures.ts';
import { ownTimeOf } from '../core/own-time.ts';
import { programCommand } from '../core/program-command.ts';
import { formatLength, formatMoment } from '../core/times.ts';
import { Moment } from './moment.tsx';

interface Props {
  status: Status;
  minutesSince: number;
  /** The moment of the data shown, if there is no server; null: there is one. */
  offlineSince: string | null;
}

/**
 * Warnings above all data: old or incomplete data, a market that is not live or still being seeded. `minutesSince`: age
 * of the status.
 */
export function Banners({ status, minutesSince, offlineSince }: Props) {
  const newest = ownTimeOf(status);
  return (
    <>
      {offlineSince !== null && (
        <p class="banner alarm" data-banner="offline" role="alert">
          <strong>Offline: state of {formatMoment(offlineSince)}.</strong> Offerbook does not answer, so this
          is what it said last. Nothing can be changed until it answers again.
        </p>
      )}
      {alarmsOf(status, minutesSince).map(({ kind, type, title, detail }) => (
        <p key={`${kind} ${type}`} class="banner alarm" data-banner={kind} role="alert">
          <strong>{title}</strong> {detail}
        </p>
      ))}
      {status.markets.slice(1).map(
        ({ market, state, lastCompleteBook }) =>
          state !== 'ready' && (
            <p key={market} class="banner alarm" data-banner="market" role="alert">
              <strong>{market} has no current prices.</strong>{' '}
              {lastCompleteBook === null
                ? 'There is no complete book yet.'
                : `The newest complete book is ${formatLength(lastCompleteBook.ageMinutes)} old.`}{' '}
              <a href={`/crawls?market=${encodeURIComponent(market)}`}>See its crawls</a>
            </p>
          ),
      )}
      {status.mode === 'simulated' && (
        <p class="banner" data-banner="simulated" role="note">
          <strong>Simulated market.</strong>{' '}
          <span class="wide">Offerbook made up these offers and prices; nothing here costs money. </span>
          <a href="/start">Connect a real market in three steps</a>
        </p>
      )}
      {status.mode === 'replay' && (
        <p class="banner" data-banner="replay" role="note">
          <strong>Recorded market.</strong> These are not current offers, and no new books arrive.
          {newest !== null && (
            <>
              {' '}
              Ages and ranges count from the newest book, of <Moment t={newest} relative={false} />.
            </>
          )}
        </p>
      )}
      {status.seeding !== null && <Seeding {...status.seeding} />}
      {status.failedJobs > 0 && (
        <p class="banner" data-banner="failed-jobs" role="note">
          <strong>{countOf(status.failedJobs, 'job')} failed.</strong> See{' '}
          <a href="/crawls">crawls and health</a>, the log, and <code>{programCommand} doctor</code>.
        </p>
      )}
    </>
  );
}

function Seeding({ done, total }: { done: number; total: number }) {
  return (
    <div class="seeding" role="status">
      <label for="seeding">
        Creating two weeks of prices: {formatCount(done)} of {formatCount(total)} snapshots of the market.
        Charts and verdicts fill as they arrive.
      </label>
      <progress id="seeding" value={done} max={total} />
    </div>
  );
}
