import type { Channel, ChannelKind } from '../core/api.ts';
import type { Problem } from '../core/api-client.ts';
import { fieldErrors } from '../core/field-errors.ts';
import { sentenceCase } from '../core/sentence-case.ts';
import { Select } from '../parts/choice.tsx';
import { FieldError, TextField } from '../parts/text-field.tsx';
import { folderOf } from './channel-names.ts';
import { isPrivateAddress } from './private-address.ts';

/** What is filled in of a channel, as text. */
export interface Filled {
  fields: Readonly<Record<string, string>>;
  secret: string;
}

/** A kind without fields: of a channel that fills itself in. */
export const noKind: ChannelKind = {
  kind: 'email',
  label: '',
  needs: '',
  fields: [],
  secret: null,
  missing: null,
};

const privateWords =
  'This address is on this machine or in a private network: nothing is sent to it unless Offerbook was started with WEBHOOK_ALLOW_PRIVATE=on.';

interface Props {
  kind: ChannelKind;
  filled: Filled;
  fill: (filled: Filled) => void;
  /** Of the last attempt to save. */
  problem: Problem | null;
  /** Of a channel that is changed: whether it has a secret, which stays if none is entered. @default it is a new one */
  keepsSecret?: boolean;
}

/** The address and the secret of a channel, as its kind needs them. */
export function ChannelFields({ kind, filled, fill, problem, keepsSecret }: Props) {
  const { fields, secret } = filled;
  const labels = Object.fromEntries(kind.fields.map(({ name, label }) => [`config.${name}`, label]));
  const errors = fieldErrors(problem, { ...labels, secret: 'Secret' });
  return (
    <>
      {kind.fields.map(({ name, label, placeholder, choices, required }) => {
        const set = (text: string) => fill({ fields: { ...fields, [name]: text }, secret });
        return choices === null ? (
          <TextField
            key={name}
            label={label}
            name={`config-${name}`}
            required={required}
            placeholder={placeholder}
            value={fields[name] ?? ''}
            set={set}
            error={errors(`config.${name}`)}
            wide
          />
        ) : (
          <Select
            key={name}
            label={label}
            name={`config-${name}`}
            options={choices.map((value) => ({ value, label: value }))}
            value={fields[name] || placeholder}
            choose={set}
          />
        );
      })}
      {kind.secret !== null && (
        <label class="field">
          <span>
            {sentenceCase(keepsSecret === undefined ? kind.secret : secretWords(kind.secret, keepsSecret))}
          </span>
          <input
            type="password"
            name="secret"
            autocomplete="off"
            value={secret}
            onInput={({ currentTarget }) => fill({ fields, secret: currentTarget.value })}
          />
          <FieldError error={errors('secret')} />
        </label>
      )}
    </>
  );
}

/** Returns what the secret is of a channel that is changed: `signing key (leave empty to keep it)`. */
export const secretWords = (secret: string, isKept: boolean): string =>
  `${secret.replace(/ \(.*\)$/, '')}${isKept ? ' (leave empty to keep it)' : ''}`;

/** What the secret of each kind is called in a list, as in its form; null: the kind has none. */
export const secretNames: Readonly<Record<Channel['kind'], string | null>> = {
  browser: 'push subscription',
  email: null,
  ntfy: 'access token',
  slack: 'address',
  discord: 'address',
  telegram: 'token',
  webhook: 'signing key',
  file: null,
};

/** Returns what a channel keeps secret, for a list: `signing key`, else `none`. */
export const listedSecret = ({ kind, secretSet }: Pick<Channel, 'kind' | 'secretSet'>): string =>
  (secretSet ? secretNames[kind] : null) ?? 'none';

/** Returns where a channel sends, for a list: its addresses; of files their folder and format, `reports/alerts, html`. */
export const listedTarget = ({ kind, config }: Pick<Channel, 'kind' | 'config'>): string =>
  kind === 'file'
    ? `${folderOf({ config })}, ${config.format}`
    : Object.values(config)
        .flat()
        .filter((value) => typeof value === 'string' || typeof value === 'number')
        .join(', ');

/** Whether an address that is filled in is one of this machine or a private network. */
export const hasPrivate = (kind: ChannelKind, fields: Filled['fields']): boolean =>
  kind.fields.some(({ name }) => isPrivateAddress(fields[name] ?? ''));

/** Says that nothing is sent to a private address, in a place that is kept for it. */
export const PrivateAddress = ({ kind, fields }: { kind: ChannelKind; fields: Filled['fields'] }) =>
  kind.fields.some(({ name }) => name === 'url') ? (
    <p class="remark" role="status" data-private data-hidden={!hasPrivate(kind, fields)}>
      {privateWords}
    </p>
  ) : null;

/** Returns the names by which an error is about one of the fields. */
export const fieldNames = ({ fields, secret }: ChannelKind): string[] => [
  ...fields.map(({ name }) => `config.${name}`),
  ...(secret === null ? [] : ['secret']),
];

/** Returns a name for a new channel that none of the known ones has: `webhook`, else `webhook 2`. */
export function freeName(name: string, taken: readonly string[]): string {
  let free = name;
  for (let next = 2; taken.includes(free); next += 1) free = `${name} ${next}`;
  return free;
}

/** Returns the filled fields as the API takes them; a comma separates the values of a list. */
export const filledConfig = (
  { fields }: Pick<ChannelKind, 'fields'>,
  filled: Filled['fields'],
): Record<string, string | string[]> =>
  Object.fromEntries(
    fields.flatMap(({ name, several }) => {
      const text = (filled[name] ?? '').trim();
      if (text === '') return [];
      const isList = several && text.includes(',');
      return [[name, isList ? text.split(',').map((part) => part.trim()) : text]];
    }),
  );

/** Returns the fields of a channel as text: a secret address as its hint, which stands for the whole. */
export const shownFields = (
  { fields }: Pick<ChannelKind, 'fields'>,
  config: Readonly<Record<string, unknown>>,
): Record<string, string> =>
  Object.fromEntries(
    fields.map(({ name }) => {
      const text = [config[name] ?? ''].flat().join(', ');
      // The topic of an address is kept apart from it.
      return [name, name === 'url' && typeof config.topic === 'string' ? `${text}${config.topic}` : text];
    }),
  );

/**
 * Returns the config of a channel with its fields as they are filled in; undefined: they are as they were. What has no field
 * stays, without hints of secrets: they belong to the address before.
 */
export function changedConfig(
  kind: Pick<ChannelKind, 'fields'>,
  config: Readonly<Record<string, unknown>>,
  filled: Filled['fields'],
): Record<string, unknown> | undefined {
  const before = shownFields(kind, config);
  if (kind.fields.every(({ name }) => (filled[name] ?? '').trim() === before[name])) return undefined;
  const rest = Object.entries(config).filter(
    ([name, value]) =>
      !kind.fields.some((field) => field.name === name) &&
      !(typeof value === 'string' && value.includes('…')),
  );
  return { ...Object.fromEntries(rest), ...filledConfig(kind, filled) };
}
