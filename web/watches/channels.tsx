import { useState } from 'preact/hooks';
import { listChannelKinds } from '../../client/operations.js';
import type { Channel } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { pathTo } from '../core/path-to.ts';
import { addingChannels, reasonFor } from '../core/permission.ts';
import { useAction } from '../core/use-action.ts';
import { type Answer, useAnswer } from '../core/use-answer.ts';
import type { Page } from '../core/use-pages.ts';
import { Reason } from '../parts/allowed.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { DeleteDialog } from '../parts/delete-dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Awaited, Notice } from '../parts/notice.tsx';
import { ChangeChannel } from './change-channel.tsx';
import { listedSecret, listedTarget, noKind } from './channel-fields.tsx';
import { NewChannel } from './new-channel.tsx';
import { SendAgain } from './send-again.tsx';
import { testChannel } from './test-channel.ts';

interface Props {
  app: App;
  channels: Answer<Page<Channel>>;
}

/** Notification channels, each with a button that sends a test message. */
export function Channels({ app, channels }: Props) {
  const action = useAction(app);
  const kinds = useAnswer(app, pathTo(listChannelKinds, {})).data?.items ?? [];
  const [changing, setChanging] = useState<Channel | null>(null);
  const [ending, setEnding] = useState<Channel | null>(null);
  /** The channel whose test message was accepted last. */
  const [working, setWorking] = useState<Channel | null>(null);
  /** Why the last test failed; it stays until the next one. */
  const [refused, setRefused] = useState('');
  const noTest = reasonFor(app, { to: 'test channels' });
  const noChange = reasonFor(app, addingChannels);
  const test = (channel: Channel) =>
    action.run(async () => {
      const { isSent, words } = await testChannel(app, channel);
      setWorking(isSent ? channel : null);
      setRefused(isSent ? '' : words);
      // A test switches a channel on, or off.
      channels.reload();
      return isSent ? words : undefined;
    });
  /** What the last test said is no longer true of a channel that is another one now. */
  const forget = () => {
    setWorking(null);
    setRefused('');
    channels.reload();
  };
  return (
    <section class="card" aria-label="Channels" id="channels">
      <h2>
        Channels<small>where reports and alerts are sent</small>
      </h2>
      <Awaited answer={channels} what="the channels">
        {({ items }) =>
          items.length === 0 ? (
            <Notice title="No channel yet">{noChange === null && 'Add one below, then test it.'}</Notice>
          ) : (
            <DataTable
              label="List of channels"
              stacks
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                {
                  head: 'Name',
                  heads: true,
                  field: 'name',
                  value: ({ name }) => name,
                  cell: ({ name, offReason }) => (
                    <>
                      <span class="wrapped">{name}</span>
                      {offReason !== null && <span class="wrapped why">Off: {offReason}.</span>}
                    </>
                  ),
                },
                {
                  head: 'Kind',
                  cell: ({ kind }) => {
                    const known = kinds.find((each) => each.kind === kind);
                    return (
                      <>
                        {known?.label ?? kind}
                        {known?.missing != null && <span class="wrapped why">{known.missing}</span>}
                      </>
                    );
                  },
                },
                { head: 'To', cell: listedTarget },
                { head: 'Secret', cell: listedSecret },
                ...(noTest === null
                  ? [
                      {
                        head: 'Actions',
                        actions: true,
                        cell: (channel: Channel) => (
                          <span class="row">
                            <button
                              type="button"
                              class="small"
                              disabled={action.busy}
                              aria-label={`Send a test to ${channel.name}`}
                              onClick={() => void test(channel)}
                            >
                              Send a test
                            </button>
                            {noChange === null && (
                              <>
                                <button
                                  type="button"
                                  class="small"
                                  disabled={kinds.length === 0}
                                  aria-label={`Change… ${channel.name}`}
                                  onClick={() => setChanging(channel)}
                                >
                                  Change…
                                </button>
                                <button
                                  type="button"
                                  class="small danger"
                                  aria-label={`Delete… ${channel.name}`}
                                  onClick={() => setEnding(channel)}
                                >
                                  Delete…
                                </button>
                              </>
                            )}
                          </span>
                        ),
                      },
                    ]
                  : []),
              ]}
            />
          )
        }
      </Awaited>
      <Failure problem={action.problem} />
      <p class="failure" role="status" data-test>
        {refused}
      </p>
      {working !== null && <SendAgain key={working.id} app={app} channel={working} />}
      {noChange === null ? (
        <NewChannel
          app={app}
          kinds={kinds}
          names={channels.data?.items.map(({ name }) => name) ?? []}
          refused={channels.reload}
          added={channels.reload}
        />
      ) : (
        <Reason>{noChange}</Reason>
      )}
      {changing !== null && (
        <ChangeChannel
          app={app}
          channel={changing}
          kind={kinds.find(({ kind }) => kind === changing.kind) ?? noKind}
          done={() => {
            setChanging(null);
            forget();
          }}
          close={() => setChanging(null)}
        />
      )}
      {ending !== null && (
        <DeleteDialog
          app={app}
          title={`Delete the channel ${ending.name}?`}
          remove={() => app.api.deleteChannel({ id: ending.id })}
          said="Channel deleted."
          done={() => {
            setEnding(null);
            forget();
          }}
          close={() => setEnding(null)}
        >
          Its deliveries are deleted, and watches and alerts stop using it. Queued messages are not sent.
        </DeleteDialog>
      )}
    </section>
  );
}
