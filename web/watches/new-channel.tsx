import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Channel, ChannelKind } from '../core/api.ts';
import type { App, Warning } from '../core/app.ts';
import { fieldErrors, isAboutFields } from '../core/field-errors.ts';
import { sentenceCase } from '../core/sentence-case.ts';
import { pushProblem } from '../core/service-worker.ts';
import { useAction } from '../core/use-action.ts';
import { Select } from '../parts/choice.tsx';
import { Failure } from '../parts/failure.tsx';
import { FieldError, TextField } from '../parts/text-field.tsx';
import { isPrivateAddress } from './private-address.ts';
import { SigningKey } from './signing-key.tsx';
import { addedWords } from './test-channel.ts';
import { ThisBrowser } from './this-browser.tsx';

/** What adds the channel that is filled in, and returns it, or null if it was refused; itself null: none is filled in. */
export interface FilledChannel {
  current: (() => Promise<Channel | null>) | null;
}

interface Props {
  app: App;
  kinds: readonly ChannelKind[];
  /** `madeSecret`: a signing key, which the form shows while it is open; null: none was made. */
  added: (channel: Channel, madeSecret: string | null) => void;
  /** Shows what was done, in a box above the page's announcements. @default announces it */
  say?: (said: string | Warning) => void;
  /** Set as long as a channel is filled in, for a button outside of the form. */
  pending?: FilledChannel;
}

const noKind: ChannelKind = { kind: 'email', label: '', needs: '', fields: [], secret: null, missing: null };

const privateWords =
  'This address is on this machine or in a private network: nothing is sent to it unless Offerbook was started with WEBHOOK_ALLOW_PRIVATE=on.';

/** Adds a channel: kind, address and, if the kind needs one, a secret. */
export function NewChannel({ app, kinds, added, say, pending }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [chosen, setKind] = useState<ChannelKind['kind'] | null>(null);
  const [name, setName] = useState('');
  const [fields, setFields] = useState<Record<string, string>>({});
  const [secret, setSecret] = useState('');
  const [made, setMade] = useState<string | null>(null);
  const action = useAction(app);
  const isUsable = ({ kind: each, missing }: ChannelKind) =>
    missing === null && (each !== 'browser' || pushProblem(window) === null);
  // The first one that can send.
  const kind = chosen ?? kinds.find(isUsable)?.kind ?? 'email';
  const needed = kinds.find((each) => each.kind === kind) ?? noKind;
  // A browser's fields are filled in by itself.
  const asked = kind === 'browser' ? noKind : needed;
  const labels = Object.fromEntries(asked.fields.map(({ name: field, label }) => [`config.${field}`, label]));
  const errors = fieldErrors(action.problem, { ...labels, secret: 'Secret' });
  const named = [...Object.keys(labels), ...(asked.secret === null ? [] : ['secret'])];
  async function add(): Promise<string | Warning | undefined> {
    const done = addedWords(await create());
    say?.(done);
    return say === undefined ? done : undefined;
  }
  async function create(): Promise<Channel> {
    const { madeSecret, ...channel } = await app.api.createChannel({
      body: {
        kind,
        config: filledConfig(needed, fields),
        ...(name.trim() === '' ? {} : { name: name.trim() }),
        ...(secret.trim() === '' ? {} : { secret: secret.trim() }),
      },
    });
    setMade(madeSecret);
    setName('');
    setFields({});
    setSecret('');
    added(channel, madeSecret);
    return channel;
  }
  const isBegun = kind !== 'browser' && [...Object.values(fields), secret].some((text) => text.trim() !== '');
  useLayoutEffect(() => {
    if (pending === undefined) return undefined;
    pending.current = isBegun
      ? async () => {
          if (form.current?.reportValidity() !== true) return null;
          const made: Channel[] = [];
          await action.run(async () => {
            made.push(await create());
            return undefined;
          });
          return made[0] ?? null;
        }
      : null;
    return () => {
      pending.current = null;
    };
  });
  const isPrivate = asked.fields.some(({ name: field }) => isPrivateAddress(fields[field] ?? ''));
  return (
    <>
      <form
        ref={form}
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
          options={kinds.map((each) => ({
            value: each.kind,
            label: `${each.kind === 'browser' ? 'This browser' : each.label}${isUsable(each) ? '' : ' (not set up)'}`,
          }))}
          value={kind}
          choose={(value) => setKind(value as typeof kind)}
        />
        <TextField label="Name" name="channel-name" placeholder={needed.label} value={name} set={setName} />
        {kind === 'browser' && <ThisBrowser app={app} name={name.trim()} added={added} />}
        {asked.fields.map(({ name: field, label, placeholder, required }) => (
          <TextField
            key={field}
            label={label}
            name={`config-${field}`}
            required={required}
            placeholder={placeholder}
            value={fields[field] ?? ''}
            set={(text) => setFields({ ...fields, [field]: text })}
            error={errors(`config.${field}`)}
            wide
          />
        ))}
        {asked.secret !== null && (
          <label class="field">
            <span>{sentenceCase(asked.secret)}</span>
            <input
              type="password"
              name="secret"
              autocomplete="off"
              value={secret}
              onInput={({ currentTarget }) => setSecret(currentTarget.value)}
            />
            <FieldError error={errors('secret')} />
          </label>
        )}
        {kind !== 'browser' && (
          <button type="submit" disabled={action.busy}>
            Add channel
          </button>
        )}
        <div class="one-of">
          {asked.fields.some(({ name: field }) => field === 'url') && (
            <p class="remark" role="status" data-private data-hidden={!isPrivate}>
              {privateWords}
            </p>
          )}
          {needed.missing === null && needed.needs !== '' && (
            <p class="caption" data-needs={kind} data-hidden={isPrivate}>
              {needed.needs}
            </p>
          )}
        </div>
        {needed.missing !== null && (
          <p class="remark" data-missing={kind}>
            {needed.missing}
          </p>
        )}
        {made !== null && <SigningKey app={app} text={made} />}
      </form>
      <Failure problem={isAboutFields(action.problem, named) ? null : action.problem} />
    </>
  );
}

/** Returns the filled fields as the API takes them; a comma separates the values of a list. */
const filledConfig = (
  { fields }: ChannelKind,
  filled: Readonly<Record<string, string>>,
): Record<string, string | string[]> =>
  Object.fromEntries(
    fields.flatMap(({ name, several }) => {
      const text = (filled[name] ?? '').trim();
      if (text === '') return [];
      const isList = several && text.includes(',');
      return [[name, isList ? text.split(',').map((part) => part.trim()) : text]];
    }),
  );
