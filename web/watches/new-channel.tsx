import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Channel, ChannelKind } from '../core/api.ts';
import type { App, Warning } from '../core/app.ts';
import { isAboutFields } from '../core/field-errors.ts';
import { pushProblem } from '../core/service-worker.ts';
import { useAction } from '../core/use-action.ts';
import { Select } from '../parts/choice.tsx';
import { Failure } from '../parts/failure.tsx';
import { TextField } from '../parts/text-field.tsx';
import {
  ChannelFields,
  fieldNames,
  filledConfig,
  freeName,
  hasPrivate,
  noKind,
  PrivateAddress,
} from './channel-fields.tsx';
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
  /** Of the channels there are, as far as the page knows. */
  names: readonly string[];
  /** Called when the channel was refused, perhaps for one that the page does not know. */
  refused: () => void;
  /** `madeSecret`: a signing key, which the form shows while it is open; null: none was made. */
  added: (channel: Channel, madeSecret: string | null) => void;
  /** Shows what was done, in a box above the page's announcements. @default announces it */
  say?: (said: string | Warning) => void;
  /** Set as long as a channel is filled in, for a button outside of the form. */
  pending?: FilledChannel;
}

/** Adds a channel: kind, address and, if the kind needs one, a secret. */
export function NewChannel({ app, kinds, names, refused, added, say, pending }: Props) {
  const failure = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [chosen, setKind] = useState<ChannelKind['kind'] | null>(null);
  const [name, setName] = useState('');
  const [fields, setFields] = useState<Record<string, string>>({});
  const [secret, setSecret] = useState('');
  const [made, setMade] = useState<string | null>(null);
  const action = useAction(app);
  // Whole, also where the buttons of a box cover what is below, and what is above grows meanwhile.
  useEffect(() => {
    if (action.problem !== null) failure.current?.scrollIntoView({ block: 'nearest' });
  }, [action.problem, names.length]);
  const isUsable = ({ kind: each, missing }: ChannelKind) =>
    missing === null && (each !== 'browser' || pushProblem(window) === null);
  // The first one that can send.
  const kind = chosen ?? kinds.find(isUsable)?.kind ?? 'email';
  const needed = kinds.find((each) => each.kind === kind) ?? noKind;
  /** What it is called without a name of its own. */
  const implied = freeName(kind, names);
  // A browser's fields are filled in by itself.
  const asked = kind === 'browser' ? noKind : needed;
  async function add(): Promise<string | Warning | undefined> {
    const done = addedWords(await create());
    say?.(done);
    return say === undefined ? done : undefined;
  }
  async function create(): Promise<Channel> {
    const own = name.trim() === '' ? implied : name.trim();
    const body = {
      kind,
      config: filledConfig(needed, fields),
      ...(own === kind ? {} : { name: own }),
      ...(secret.trim() === '' ? {} : { secret: secret.trim() }),
    };
    const { madeSecret, ...channel } = await app.api.createChannel({ body }).catch((error: unknown) => {
      refused();
      throw error;
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
        <TextField
          label="Name"
          name="channel-name"
          placeholder={implied === kind ? needed.label : implied}
          value={name}
          set={setName}
        />
        {kind === 'browser' && <ThisBrowser app={app} name={name.trim()} added={added} />}
        <ChannelFields
          kind={asked}
          filled={{ fields, secret }}
          fill={({ fields, secret }) => {
            setFields(fields);
            setSecret(secret);
          }}
          problem={action.problem}
        />
        {kind !== 'browser' && (
          <button type="submit" disabled={action.busy}>
            Add channel
          </button>
        )}
        <div class="one-of">
          <PrivateAddress kind={asked} fields={fields} />
          {needed.missing === null && needed.needs !== '' && (
            <p class="caption" data-needs={kind} data-hidden={hasPrivate(asked, fields)}>
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
      <div ref={failure}>
        <Failure problem={isAboutFields(action.problem, fieldNames(asked)) ? null : action.problem} />
      </div>
    </>
  );
}
