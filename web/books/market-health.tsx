import type { Status } from '../core/api.ts';
import { countOf, formatCount } from '../core/figures.ts';
import { nextOfMarket } from '../core/market-schedule.ts';
import { formatAge, formatDuration, formatExpected, formatRelative } from '../core/times.ts';
import { Moment } from '../parts/moment.tsx';
import { Scroll } from '../parts/scroll.tsx';
import { otherSchedules } from './other-schedules.ts';

/** The data age of each crawled market, and its last crawls without a complete book. */
export function Markets({ markets }: Pick<Status, 'markets'>) {
  return (
    <section class="card" aria-label="Markets">
      <Scroll label="Markets">
        <table id="crawled-markets" class="compact">
          <thead>
            <tr>
              <th scope="col">Market</th>
              <th scope="col">Newest complete book</th>
              <th scope="col">Failures</th>
            </tr>
          </thead>
          <tbody>
            {markets.map(({ market, state, lastCompleteBook, lastEnded }) => (
              <tr key={market} data-market={market}>
                <th scope="row">{market}</th>
                <td class={state === 'ready' ? '' : 'outcome failed'}>
                  <Moment t={lastCompleteBook?.observedAt ?? null} none="None" />
                </td>
                <td data-head="Failures">
                  {lastEnded
                    .flatMap(({ type, outcome, reason }) =>
                      outcome === 'failed' || outcome === 'partial' ? [`${type} ${outcome}: ${reason}`] : [],
                    )
                    .join('; ') || 'None'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

/** A market's data age, newest books, schedule and jobs. */
export function Health({ status, minutesSince }: { status: Status; minutesSince: number }) {
  const { newestBooks, dataAgeMinutes, maxDataAgeMinutes, failedJobs, jobs, schedule, instances, backups } =
    status;
  const isRecorded = status.market.kind === 'recorded';
  const age = dataAgeMinutes === null ? null : dataAgeMinutes + minutesSince;
  const next = nextOfMarket(schedule);
  const others = otherSchedules(schedule);
  return (
    <dl class="tiles">
      <div data-tile="age" class={age !== null && age > maxDataAgeMinutes ? 'bad' : ''}>
        <dt>Data age</dt>
        <dd>{age === null ? (isRecorded ? 'Recorded' : 'Not tracked') : formatAge(age)}</dd>
        <dd class="soft">
          {isRecorded ? 'never updated' : `stale after ${formatDuration(maxDataAgeMinutes * 60_000)}`}
        </dd>
      </div>
      {newestBooks.map(({ type, observedAt, verdict, offers }) => (
        <div key={type}>
          <dt>Newest {type} book</dt>
          <dd>{countOf(offers, 'offer')}</dd>
          <dd class="soft">
            {verdict}, <Moment t={observedAt} />
          </dd>
        </div>
      ))}
      <div data-tile="next">
        <dt>Next market crawl</dt>
        <dd>{next === null ? 'None' : formatExpected(next)}</dd>
        <dd class="soft">
          {next !== null && (
            <>
              <Moment t={next} relative={false} expected />.{' '}
            </>
          )}
          {others.length > 0 && 'Also:'}
          {others.map((words) => (
            <span key={words} class="below">
              {words}
            </span>
          ))}
        </dd>
      </div>
      <div data-tile="jobs" class={failedJobs > 0 ? 'bad' : ''}>
        <dt>Failed jobs</dt>
        <dd>{formatCount(failedJobs)}</dd>
        <dd class="soft">
          in the last 2 weeks; {formatCount(jobs.queued)} queued, {formatCount(jobs.active)} running
        </dd>
      </div>
      {(backups.cron !== null || backups.lastGood !== null) && <Backups {...backups} />}
      {instances !== null && (
        <div>
          <dt>Instances polled</dt>
          <dd>{formatCount(instances.statuses.reduce((sum, { instances: count }) => sum + count, 0))}</dd>
          <dd class="soft">
            <Moment t={instances.polledAt} />
          </dd>
        </div>
      )}
    </dl>
  );
}

const verifiedWords = { restored: 'verified by a restore', read: 'read through' } as const;

function Backups({ isOverdue, lastGood, lastFailure }: Status['backups']) {
  const hasFailed = lastFailure !== null && (lastGood === null || lastFailure.startedAt > lastGood.startedAt);
  return (
    <div data-tile="backups" class={isOverdue || hasFailed ? 'bad' : ''}>
      <dt>Last good backup</dt>
      <dd>{lastGood === null ? 'None' : formatRelative(lastGood.startedAt)}</dd>
      <dd class="soft">
        {lastGood !== null &&
          `${(lastGood.bytes / 1e6).toFixed(1)} MB, ${lastGood.verified === null ? 'not verified' : verifiedWords[lastGood.verified]}`}
        {hasFailed && (
          <>
            {lastGood !== null && '; '}failed <Moment t={lastFailure.startedAt} />: {lastFailure.reason}
          </>
        )}
      </dd>
    </div>
  );
}
