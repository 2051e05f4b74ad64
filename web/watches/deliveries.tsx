import { useEffect } from 'preact/hooks';
import { listDeliveries } from '../../client/operations.js';
import type { Channel, Delivery } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { pathTo } from '../core/path-to.ts';
import { reasonFor } from '../core/permission.ts';
import { useAction } from '../core/use-action.ts';
import { useAnswer } from '../core/use-answer.ts';
import { usePages } from '../core/use-pages.ts';
import { ActButton } from '../parts/act-button.tsx';
import { Reason } from '../parts/allowed.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Failure } from '../parts/failure.tsx';
import { Moment } from '../parts/moment.tsx';
import { MoreButton } from '../parts/more-button.tsx';
import { Awaited, Notice } from '../parts/notice.tsx';

const over = ['sent', 'failed', 'refused'];

interface Props {
  app: App;
  channels: readonly Channel[];
  /** Changes when something may have been sent. */
  version: unknown;
}

/** Sent and waiting deliveries with their errors, and a resend button. */
export function Deliveries({ app, channels, version }: Props) {
  const answer = useAnswer(app, pathTo(listDeliveries, { limit: 25 }), version);
  const pages = usePages(app, answer);
  // The page becomes long enough only with them.
  const isRead = answer.data !== null;
  const isWanted = app.address.place.value.query.get('at') === 'deliveries';
  useEffect(() => {
    if (isRead && isWanted) document.getElementById('deliveries')?.scrollIntoView();
  }, [isRead, isWanted]);
  const action = useAction(app);
  // They would refuse it again.
  const offChannels = channels.filter(({ offReason }) => offReason !== null);
  const isOff = (id: string) => offChannels.some((channel) => channel.id === id);
  const reason = reasonFor(app, { to: 'send messages again' });
  return (
    <section class="card" aria-label="Deliveries" id="deliveries">
      <h2>
        Deliveries<small>newest first, without test messages</small>
      </h2>
      {reason !== null && <Reason>{reason}</Reason>}
      <Failure problem={action.problem} />
      <Awaited answer={answer} what="the deliveries">
        {() =>
          pages.items.length === 0 ? (
            <Notice title="No deliveries yet" />
          ) : (
            <>
              <DataTable
                label="List of deliveries"
                stacks
                rows={pages.items}
                keyOf={({ id }) => id}
                columns={[
                  {
                    head: 'Created',
                    heads: true,
                    cell: ({ createdAt }) => <Moment t={createdAt} relative={false} />,
                  },
                  {
                    head: 'Message',
                    field: 'problem',
                    value: ({ problem }) => String(problem),
                    cell: ({ title, problem }) => (
                      <>
                        <span class="wrapped long">{title}</span>
                        {problem !== null && <small class="wrapped long rose">{problem}</small>}
                      </>
                    ),
                  },
                  { head: 'Channel', cell: ({ channelName }) => channelName },
                  {
                    head: 'Status',
                    field: 'state',
                    value: ({ state }) => state,
                    class: ({ state }) =>
                      `outcome ${state === 'sent' ? 'complete' : over.includes(state) ? 'failed' : 'partial'}`,
                    cell: ({ state, attempts, replayedAt }) =>
                      [
                        state,
                        ...(attempts > 1 ? [`${attempts} tries`] : []),
                        ...(replayedAt === null ? [] : ['replay']),
                      ].join(', '),
                  },
                  {
                    head: 'When',
                    cell: ({ nextAttemptAt, endedAt }) =>
                      endedAt === null ? (
                        <>
                          next try <Moment t={nextAttemptAt} expected />
                        </>
                      ) : (
                        <Moment t={endedAt} relative={false} />
                      ),
                  },
                  ...(reason === null
                    ? [
                        {
                          head: 'Actions',
                          actions: true,
                          cell: ({ id, state, channelId }: Delivery) =>
                            over.includes(state) && !isOff(channelId) ? (
                              <ActButton
                                action={action}
                                label="Send again"
                                run={async () => {
                                  await app.api.resendDelivery({ id });
                                  answer.reload();
                                  return 'Queued again.';
                                }}
                              />
                            ) : null,
                        },
                      ]
                    : []),
                ]}
              />
              <MoreButton pages={pages} />
            </>
          )
        }
      </Awaited>
    </section>
  );
}
