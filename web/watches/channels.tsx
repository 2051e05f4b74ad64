import { useState } from 'preact/hooks';
import { listChannelKinds } from '../../client/operations.js';
import type { Channel, ChannelKind } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { pathTo } from '../core/path-to.ts';
import { reasonFor } from '../core/permission.ts';
import { type Action, useAction } from '../core/use-action.ts';
import { type Answer, useAnswer } from '../core/use-answer.ts';
import type { Page } from '../core/use-pages.ts';
import { Reason } from '../parts/allowed.tsx';
import { Select } from '../parts/choice.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { DeleteDialog } from '../parts/delete-dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Awaited, Notice } from '../parts/notice.tsx';

interface Props {
  app: App;
  channels: Answer<Page<Channel>>;
}

const noKind: ChannelKind = { kind: 'email', label: '', fields: [], secret: null };

/** Notification channels, each with a button that sends a test message. */
export function Channels({ app, channels }: Props) {
  const action = useAction(app);
  const kinds = useAnswer(app, pathTo(listChannelKinds, {})).data?.items ?? [];
  const [ending, setEnding] = useState<Channel | null>(null);
  const noTest = reasonFor(app, { to: 'test channels' });
  const noChange = reasonFor(app, { to: 'add channels', role: 'admin' });
  const test = (channel: Channel) =>
    action.run(async () => {
      const { state, problem } = await app.api.testChannel({ id: channel.id });
      return state === 'sent'
        ? `Test message sent to ${channel.name}.`
        : `${channel.name} failed: ${problem ?? state}`;
    });
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
                  cell: ({ name }) => name,
                },
                { head: 'Kind', cell: ({ kind }) => kinds.find((each) => each.kind === kind)?.label ?? kind },
                { head: 'To', cell: ({ config }) => configWords(config) },
                { head: 'Secret', cell: ({ secretSet }) => (secretSet ? 'set' : 'none') },
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
                              aria-label={`Test ${channel.name}`}
                              onClick={() => void test(channel)}
                            >
                              Test
                            </button>
                            {noChange === null && (
                              <button
                                type="button"
                                class="small danger"
                                aria-label={`Remove ${channel.name}`}
                                onClick={() => setEnding(channel)}
                              >
                                Remove
                              </button>
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
      {noChange === null ? (
        <NewChannel app={app} kinds={kinds} action={action} added={channels.reload} />
      ) : (
        <Reason>{noChange}</Reason>
      )}
      {ending !== null && (
        <DeleteDialog
          app={app}
          title={`Remove the channel ${ending.name}?`}
          action="Remove"
          remove={() => app.api.deleteChannel({ id: ending.id })}
          said="Channel removed."
          done={() => {
            setEnding(null);
            channels.reload();
          }}
          close={() => setEnding(null)}
        >
          Its deliveries are deleted, and watches and rules stop using it. Queued messages are not sent.
        </DeleteDialog>
      )}
    </section>
  );
}

const configWords = (config: Record<string, unknown>) =>
  Object.values(config)
    .flat()
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .join(', ');

interface NewChannelProps {
  app: App;
  kinds: readonly ChannelKind[];
  action: Action;
  added: () => void;
}

function NewChannel({ app, kinds, action, added }: NewChannelProps) {
  const [kind, setKind] = useState<ChannelKind['kind']>('email');
  const [name, setName] = useState('');
  const [fields, setFields] = useState<Record<string, string>>({});
  const [secret, setSecret] = useState('');
  const [made, setMade] = useState<string | null>(null);
  const needed = kinds.find((each) => each.kind === kind) ?? noKind;
  async function add(): Promise<string> {
    const given = needed.fields.map(
      ({ name: field, several }) => [field, (fields[field] ?? '').trim(), several] as const,
    );
    const config = Object.fromEntries(
      given
        .filter(([, text]) => text !== '')
        .map(([field, text, several]) => [
          field,
          several && text.includes(',') ? text.split(',').map((part) => part.trim()) : text,
        ]),
    );
    const body = {
      kind,
      config,
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      ...(secret.trim() === '' ? {} : { secret: secret.trim() }),
    };
    const { madeSecret } = await app.api.createChannel({ body });
    setMade(madeSecret ?? null);
    setName('');
    setFields({});
    setSecret('');
    added();
    return 'Channel added. Send a test message to check it.';
  }
  return (
    <form
      class="fields"
      aria-label="New channel"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(add);
      }}
    >
      <Select
        label="Kind"
        name="kind"
        options={kinds.map(({ kind: value, label }) => ({ value, label }))}
        value={kind}
        choose={(chosen) => setKind(chosen as typeof kind)}
      />
      <label class="field">
        <span>Name</span>
        <input
          name="channel-name"
          placeholder={needed.label}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      {needed.fields.map(({ name: field, label, required }) => (
        <label key={field} class="field">
          <span>{label}</span>
          <input
            name={`config-${field}`}
            required={required}
            value={fields[field] ?? ''}
            onInput={({ currentTarget }) => setFields({ ...fields, [field]: currentTarget.value })}
          />
        </label>
      ))}
      {needed.secret !== null && (
        <label class="field">
          <span>Secret: {needed.secret}</span>
          <input
            type="password"
            name="secret"
            autocomplete="off"
            value={secret}
            onInput={({ currentTarget }) => setSecret(currentTarget.value)}
          />
        </label>
      )}
      <button type="submit" disabled={action.busy}>
        Add channel
      </button>
      {made !== null && (
        <p class="banner" role="status">
          <strong>Signing key, shown only once:</strong> <code>{made}</code>
        </p>
      )}
    </form>
  );
}
