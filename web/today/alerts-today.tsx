import { useContext } from 'preact/hooks';
import { listAlerts } from '../../client/operations.js';
import type { MarketAlert } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { countOf } from '../core/figures.ts';
import { dateFormat } from '../core/formats.ts';
import { pathTo } from '../core/path-to.ts';
import { getNow } from '../core/server-time.ts';
import { formatUtc } from '../core/times.ts';
import { useAnswer } from '../core/use-answer.ts';
import { AlertsContext } from '../parts/known-alerts.tsx';
import { Awaited, Notice } from '../parts/notice.tsx';
import { deliveriesHref, nobodyWords, undeliveredWords } from '../watches/sent-words.ts';
import { subjectToChange } from '../watches/subject-to-change.ts';

const maxShown = 5;
const maxCounted = 100;

/** The alerts since midnight, the newest first. `version` grows with each new alert and each attempt to deliver one. */
export function AlertsToday({ app, version }: { app: App; version: number }) {
  const from = startOfDay(new Date(getNow())).toISOString();
  const answer = useAnswer(app, pathTo(listAlerts, { from, limit: maxCounted }), version);
  return (
    <section class="card" aria-label="Alerts of today" id="today-alerts">
      <Awaited answer={answer} what="the alerts">
        {({ items, nextCursor }) => (
          <>
            <h2>
              <a href="/watches">Alerts of today</a>
              <small>
                {nextCursor === null ? countOf(items.length, 'alert') : `more than ${maxCounted} alerts`}
              </small>
            </h2>
            {items.length === 0 ? (
              <Notice title="None of your alerts has fired since midnight">
                <a href="/watches">Watches</a> notify you of prices, budgets and instances.
              </Notice>
            ) : (
              <ul class="lines">
                {items.slice(0, maxShown).map((alert) => (
                  <AlertLine key={alert.id} app={app} alert={alert} />
                ))}
              </ul>
            )}
            {items.length > maxShown && (
              <p class="caption">The newest {maxShown}; the others are at their watches.</p>
            )}
          </>
        )}
      </Awaited>
    </section>
  );
}

function AlertLine({
  app,
  alert: { id, at, title, watchId, listingId, ruleId, suppressed, undeliveredTo },
}: {
  app: App;
  alert: MarketAlert;
}) {
  const known = useContext(AlertsContext);
  const rule = known?.rules.find((each) => each.id === ruleId);
  const subject = rule === undefined ? null : subjectToChange(rule, known?.watches ?? []);
  const watch = watchId === null ? '/watches' : `/watches/${watchId}`;
  return (
    <li data-alert={id}>
      <p>
        <time dateTime={at} title={formatUtc(at)} class="soft">
          {dateFormat({ timeStyle: 'short' }).format(new Date(at))}
        </time>{' '}
        {title}
        {listingId !== null && (
          <>
            {' · '}
            <a href={`/listings/${listingId}`} aria-label={`Listing of the alert ${title}`}>
              Listing
            </a>
          </>
        )}
        {' · '}
        <a href={watch} aria-label={`Watch of the alert ${title}`}>
          {watchId === null ? 'Watches' : 'Watch'}
        </a>
        {suppressed !== null && (
          <>
            {' '}
            <span class="tag">{nobodyWords(suppressed)}</span>
          </>
        )}
        {undeliveredTo.length > 0 && (
          <>
            {' · '}
            <a class="rose" href={deliveriesHref}>
              {undeliveredWords(undeliveredTo)}
            </a>
          </>
        )}
      </p>
      {subject !== null && (
        <button
          type="button"
          class="small"
          aria-haspopup="dialog"
          aria-label={`Change… the alert ${title}`}
          onClick={() => {
            app.alertSubject.value = subject;
          }}
        >
          Change…
        </button>
      )}
    </li>
  );
}

/** Returns the last midnight in the reader's time zone. */
const startOfDay = (now: Date): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate());
