import { useState } from 'preact/hooks';
import type { Channel } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { type Action, useAction } from '../core/use-action.ts';
import type { Answer } from '../core/use-answer.ts';
import type { Page } from '../core/use-pages.ts';
import { Select } from '../parts/choice.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { DeleteDialog } from '../parts/delete-dialog.tsx';
import { Failure } from '../parts/failure.tsx';
import { Awaited, Notice } from '../parts/notice.tsx';

/** What each kind of channel needs: fields of its `config`, and what its secret is. */
const kinds: Record<string, { label: string; config: Record<string, string>; secret: string | null }> = {
  email: { label: 'E-mail', config: { to: 'Addresses, separated by commas' }, secret: null },
  webhook: { label: 'Webhook', config: { url: 'Address' }, secret: 'Signing key (made where empty)' },
  ntfy: {
    label: 'ntfy',
    config: { url: 'Address of the topic' },
    secret: 'Access token, where it needs one',
  },
  slack: { label: 'Slack', config: { url: 'Address of the incoming webhook' }, secret: null },
  discord: { label: 'Discord', config: { url: 'Address of the webhook' }, secret: null },
  telegram: { label: 'Telegram', config: { chatId: 'Chat id' }, secret: "The bot's token" },
  file: {
    label: 'File',
    config: { path: 'Folder below DATA_DIR/reports', format: 'html, md, txt or json' },
    secret: null,
  },
};

interface Props {
  app: App;
  channels: Answer<Page<Channel>>;
}

/** Where notices go, each with a button that sends a sample. */
export function Channels({ app, channels }: Props) {
  const action = useAction(app);
  const [ending, setEnding] = useState<Channel | null>(null);
  const test = (channel: Channel) =>
    action.run(async () => {
      const { state, problem } = await app.api.send<{ state: string; problem: string | null }>(
        'POST',
        `/api/channels/${channel.id}/test`,
      );
      return state === 'sent'
        ? `A sample went to ${channel.name}.`
        : `${channel.name} failed: ${problem ?? state}`;
    });
  return (
    <section class="card" aria-label="Channels" id="channels">
      <h2>
        Channels<small>where reports and alerts go</small>
      </h2>
      <Awaited answer={channels} what="the channels">
        {({ items }) =>
          items.length === 0 ? (
            <Notice title="No channel yet">Add one below, then test it.</Notice>
          ) : (
            <DataTable
              label="List of channels"
              stacks
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                {
                  head: 'name',
                  heads: true,
                  field: 'name',
                  value: ({ name }) => name,
                  cell: ({ name }) => name,
                },
                { head: 'kind', cell: ({ kind }) => kinds[kind]?.label ?? kind },
                { head: 'to', cell: ({ config }) => configWords(config) },
                { head: 'secret', cell: ({ secretSet }) => (secretSet ? 'set' : 'none') },
                {
                  head: 'do',
                  actions: true,
                  cell: (channel) => (
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
                      <button
                        type="button"
                        class="small danger"
                        aria-label={`Remove ${channel.name}`}
                        onClick={() => setEnding(channel)}
                      >
                        Remove
                      </button>
                    </span>
                  ),
                },
              ]}
            />
          )
        }
      </Awaited>
      <Failure problem={action.problem} />
      <NewChannel app={app} action={action} added={channels.reload} />
      {ending !== null && (
        <DeleteDialog
          app={app}
          title={`Remove the channel ${ending.name}?`}
          action="Remove it"
          path={`/api/channels/${ending.id}`}
          said="The channel is removed."
          done={() => {
            setEnding(null);
            channels.reload();
          }}
          close={() => setEnding(null)}
        >
          Its deliveries go with it, and watches and rules stop using it. What waits is not sent.
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

function NewChannel({ app, action, added }: { app: App; action: Action; added: () => void }) {
  const [kind, setKind] = useState('email');
  const [name, setName] = useState('');
  const [fields, setFields] = useState<Record<string, string>>({});
  const [secret, setSecret] = useState('');
  const [made, setMade] = useState<string | null>(null);
  const needed = kinds[kind] ?? { label: kind, config: {}, secret: null };
  async function add(): Promise<string> {
    const config = Object.fromEntries(
      Object.keys(needed.config)
        .filter((key) => (fields[key] ?? '').trim() !== '')
        .map((key) => {
          const text = (fields[key] ?? '').trim();
          return [
            key,
            kind === 'email' && text.includes(',') ? text.split(',').map((part) => part.trim()) : text,
          ];
        }),
    );
    const body = {
      kind,
      config,
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      ...(secret.trim() === '' ? {} : { secret: secret.trim() }),
    };
    const { madeSecret } = await app.api.send<{ madeSecret: string | null }>('POST', '/api/channels', body);
    setMade(madeSecret ?? null);
    setName('');
    setFields({});
    setSecret('');
    added();
    return 'The channel is added: test it.';
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
        options={Object.entries(kinds).map(([value, { label }]) => ({ value, label }))}
        value={kind}
        choose={setKind}
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
      {Object.entries(needed.config).map(([key, label]) => (
        <label key={key} class="field">
          <span>{label}</span>
          <input
            name={`config-${key}`}
            required={key !== 'format'}
            value={fields[key] ?? ''}
            onInput={({ currentTarget }) => setFields({ ...fields, [key]: currentTarget.value })}
          />
        </label>
      ))}
      {needed.secret !== null && (
        <label class="field">
          <span>{needed.secret}</span>
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
          <strong>Signing key, shown this once:</strong> <code>{made}</code>
        </p>
      )}
    </form>
  );
}
