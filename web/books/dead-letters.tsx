import type { DeadLetter } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { useAction } from '../core/use-action.ts';
import { useAnswer } from '../core/use-answer.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Failure } from '../parts/failure.tsx';
import { Moment } from '../parts/moment.tsx';
import { Awaited } from '../parts/notice.tsx';

interface Props {
  app: App;
  /** How many the status counts: the list is asked for again when that changes. */
  count: number;
}

/** Jobs that were given up, with why, each to be tried again or taken off; nothing where there is none. */
export function DeadLetters({ app, count }: Props) {
  const answer = useAnswer<{ items: DeadLetter[] }>(app, '/api/dead-letters', count);
  const action = useAction(app);
  if (answer.data?.items.length === 0 || (answer.data === null && count === 0)) return null;
  const settle = (letter: DeadLetter, again: boolean) =>
    action.run(async () => {
      const path = `/api/dead-letters/${letter.id}`;
      if (again) await app.api.send('POST', `${path}/retry`);
      else await app.api.send('DELETE', path);
      answer.reload();
      app.status.reload();
      return again ? `${jobWords(letter)} is tried again.` : `${jobWords(letter)} is off the list.`;
    });
  return (
    <section class="card" aria-label="Jobs given up" id="dead-letters">
      <h2>
        Jobs given up<small>every attempt failed; what goes by schedule has been tried since</small>
      </h2>
      <Failure problem={action.problem} />
      <Awaited answer={answer} what="the jobs given up">
        {({ items }) => (
          <DataTable
            label="List of jobs given up"
            id="dead-letter-table"
            stacks
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              { head: 'job', heads: true, cell: jobWords },
              { head: 'given up', cell: ({ givenUpAt }) => <Moment t={givenUpAt} /> },
              {
                head: 'attempts',
                number: true,
                field: 'attempts',
                value: ({ attempts }) => attempts,
                cell: ({ attempts }) => attempts,
              },
              {
                head: 'reason',
                field: 'reason',
                value: ({ reason }) => reason,
                class: () => 'wraps',
                cell: ({ reason }) => reason ?? 'not kept: see the log',
              },
              {
                head: 'do',
                actions: true,
                cell: (letter) => (
                  <span class="row nowrap">
                    <button
                      type="button"
                      class="small"
                      disabled={action.busy}
                      onClick={() => void settle(letter, true)}
                    >
                      Try again
                    </button>
                    <button
                      type="button"
                      class="small quiet"
                      disabled={action.busy}
                      onClick={() => void settle(letter, false)}
                    >
                      Take off
                    </button>
                  </span>
                ),
              },
            ]}
          />
        )}
      </Awaited>
    </section>
  );
}

const queueWords: Record<string, string> = {
  'crawl-on-demand': 'Crawl of on-demand offers',
  'crawl-bid': 'Crawl of bid offers',
  'crawl-reserved': 'Crawl of reserved offers',
  'crawl-billing': 'Reading of the bills',
  'poll-instances': 'Poll of the instances',
  deliver: 'Sending of notices',
  report: 'Report',
};

function jobWords({ queue, scope }: DeadLetter): string {
  const what = queueWords[queue] ?? queue;
  return scope === null || scope === 'default' ? what : `${what}, ${scope.replace(/^models:/, '')}`;
}
