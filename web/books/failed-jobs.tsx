import { listFailedJobs } from '../../client/operations.js';
import type { FailedJob } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { jobWords } from '../core/job-words.ts';
import { pathTo } from '../core/path-to.ts';
import { reasonFor } from '../core/permission.ts';
import { useAction } from '../core/use-action.ts';
import { useAnswer } from '../core/use-answer.ts';
import { Reason } from '../parts/allowed.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Failure } from '../parts/failure.tsx';
import { Moment } from '../parts/moment.tsx';
import { Awaited } from '../parts/notice.tsx';

const retrying = { to: 'retry or dismiss jobs' };

interface Props {
  app: App;
  /** Number of failed jobs in the status; a change reloads the list. */
  count: number;
}

/** Failed jobs with their reasons, and buttons to retry or dismiss each; empty if there are none. */
export function FailedJobs({ app, count }: Props) {
  const answer = useAnswer(app, pathTo(listFailedJobs, {}), count);
  const action = useAction(app);
  const reason = reasonFor(app, retrying);
  if (answer.data?.items.length === 0 || (answer.data === null && count === 0)) return null;
  const settle = (job: FailedJob, again: boolean) =>
    action.run(async () => {
      if (again) await app.api.retryFailedJob({ id: job.id });
      else await app.api.dismissFailedJob({ id: job.id });
      answer.reload();
      app.status.reload();
      return again ? `${jobWords(job)} is queued again.` : `${jobWords(job)} is dismissed.`;
    });
  return (
    <section class="card" aria-label="Failed jobs" id="failed-jobs">
      <h2>
        Failed jobs<small>every attempt failed; scheduled jobs have run again since</small>
      </h2>
      {reason !== null && <Reason>{reason}</Reason>}
      <Failure problem={action.problem} />
      <Awaited answer={answer} what="the failed jobs">
        {({ items }) => (
          <DataTable
            label="List of failed jobs"
            id="failed-job-table"
            stacks
            rows={items}
            keyOf={({ id }) => id}
            columns={[
              { head: 'Job', heads: true, cell: jobWords },
              { head: 'Failed at', cell: ({ failedAt }) => <Moment t={failedAt} /> },
              {
                head: 'Attempts',
                number: true,
                field: 'attempts',
                value: ({ attempts }) => attempts,
                cell: ({ attempts }) => attempts,
              },
              {
                head: 'Reason',
                field: 'reason',
                value: ({ reason }) => reason,
                class: () => 'wraps',
                cell: ({ reason }) => reason ?? 'not stored: see the log',
              },
              ...(reason === null
                ? [
                    {
                      head: 'Actions',
                      actions: true,
                      cell: (job: FailedJob) => (
                        <span class="row nowrap">
                          <button
                            type="button"
                            class="small"
                            disabled={action.busy}
                            onClick={() => void settle(job, true)}
                          >
                            Retry
                          </button>
                          <button
                            type="button"
                            class="small quiet"
                            disabled={action.busy}
                            onClick={() => void settle(job, false)}
                          >
                            Dismiss
                          </button>
                        </span>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </Awaited>
    </section>
  );
}
