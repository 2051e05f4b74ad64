import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import type { Changes } from '../core/address.ts';
import type { Problem } from '../core/api-client.ts';
import { endingWords, hostEndsThisIn } from '../core/ending-words.ts';
import { type FieldErrors, fieldErrors } from '../core/field-errors.ts';
import { countryCodes, numberText, percentText, shareText } from '../core/filter-words.ts';
import { sentenceCase } from '../core/sentence-case.ts';
import { SomeOf } from './choice.tsx';
import {
  countFilters,
  type FilterField,
  filterFields,
  listedValues,
  profileDefaults,
  profileFields,
} from './filter-fields.ts';
import { FieldError } from './text-field.tsx';

interface Props {
  query: URLSearchParams;
  change: (changes: Changes) => void;
  /** Why a request with these parameters was refused, to show at its fields. @default it was not */
  problem?: Problem | null;
  /** Filters that the view shows elsewhere. @default none */
  without?: readonly string[];
}

interface FilterProps extends Props {
  /** Whether the view says in words which offers the filters select: then they do not open by themselves. @default false */
  isSaid?: boolean;
  /** The filters to show, with those that another control sets. @default those of the query */
  inForce?: URLSearchParams;
  /** How a field that shows them changes the query. @default change */
  edit?: Props['change'];
}

const labelsOf = (fields: readonly { name: string; label: string }[]): Record<string, string> =>
  Object.fromEntries(fields.map(({ name, label }) => [name, label]));
const filterLabels = labelsOf(filterFields);
const profileLabels = labelsOf(profileFields);

const hasError = (errors: FieldErrors, fields: readonly { name: string }[]): boolean =>
  fields.some(({ name }) => errors(name) !== null);

/** Filters besides model and type, collapsed; each goes into the query under the API's name. */
export function FilterForm(props: FilterProps) {
  const {
    query,
    inForce = query,
    change,
    edit = change,
    problem = null,
    without = [],
    isSaid = false,
  } = props;
  const fields = filterFields.filter(({ name }) => !without.includes(name));
  const set = countFilters(query, fields);
  const errors = fieldErrors(problem, filterLabels);
  // Once open, they stay so: a field that is being filled does not close.
  const isOpen = useRef(false);
  if (!isSaid || set === 0) isOpen.current = set > 0;
  return (
    <details class="fold" open={isOpen.current || hasError(errors, fields)}>
      <summary>Filters{set > 0 && <span class="count">{set}</span>}</summary>
      <form class="fields" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
        {fields.map((field) => (
          <Field key={field.name} field={field} query={inForce} change={edit} error={errors(field.name)} />
        ))}
        {set > 0 && (
          <button
            type="button"
            class="quiet"
            onClick={() => change(Object.fromEntries(fields.map(({ name }) => [name, null])))}
          >
            Clear filters
          </button>
        )}
      </form>
    </details>
  );
}

interface ProfileProps extends Omit<Props, 'without'> {
  /** Longest rental of the one offer that is priced; null: unknown. @default several are */
  maxDurationHours?: number | null;
  /** What follows the fields. */
  children?: ComponentChildren;
}

/** The usage profile for prices, collapsed. */
export function ProfileForm(props: ProfileProps) {
  const { query, change, problem = null, maxDurationHours = null, children } = props;
  const set = profileFields.some(({ name }) => query.has(name));
  const errors = fieldErrors(problem, profileLabels);
  const value = (name: string) => query.get(name) ?? profileDefaults[name];
  const ending = endingWords(maxDurationHours, Number(value('runningHours')), hostEndsThisIn);
  return (
    <details class="fold" open={set}>
      <summary>
        Usage profile
        <span class="soft">
          {set ? ' ' : ': prices assume '}
          {value('storageGb')} GB disk, {value('runningHours')} h
        </span>
        {ending !== null && <strong data-ends-early>; {ending}</strong>}
      </summary>
      <form class="fields" aria-label="Usage profile" onSubmit={(event) => event.preventDefault()}>
        {profileFields.map((field) => (
          <Field
            key={field.name}
            field={{
              ...field,
              title: [
                `Default: ${profileDefaults[field.name]}`,
                ...(field.title === undefined ? [] : [field.title]),
              ].join('. '),
            }}
            query={query}
            change={change}
            error={errors(field.name)}
            unset={profileDefaults[field.name] ?? ''}
          />
        ))}
        {children}
      </form>
    </details>
  );
}

interface FieldProps extends Omit<Props, 'problem' | 'without'> {
  field: FilterField;
  error: string | null;
  /** Placeholder: the default. */
  unset?: string;
}

/** One parameter as a field; it applies when the reader leaves it or presses Enter. */
function Field({ field, query, change, error, unset = '' }: FieldProps) {
  const { name, label, kind, choices = [], unit, title } = field;
  const id = useId();
  // What is being typed stays while responses arrive.
  const [typed, setTyped] = useState<string | null>(null);
  if (kind === 'choices') {
    const given = query.getAll(name);
    return (
      <SomeOf
        legend={label}
        name={name}
        options={choices.map((value) => ({ value, label: sentenceCase(value) }))}
        chosen={choices.filter((value) => given.includes(value))}
        choose={(chosen) => change({ [name]: chosen })}
      />
    );
  }
  if (kind === 'flag') {
    return (
      <label class="field">
        <span>{label}</span>
        <select
          name={name}
          value={query.get(name) ?? ''}
          onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
        >
          <option value="">Any</option>
          <option value="true">Yes</option>
          <option value="false">No</option>
        </select>
      </label>
    );
  }
  const given = query.getAll(name).join(', ');
  return (
    <div class="field narrow" title={title}>
      <label for={id}>
        {label}
        {unit !== undefined && <small> {unit}</small>}
      </label>
      <input
        id={id}
        name={name}
        type="text"
        inputMode={kind === 'number' || kind === 'share' ? 'decimal' : undefined}
        autocomplete="off"
        placeholder={unset === '' ? 'Any' : unset}
        value={typed ?? (kind === 'share' ? percentText(given) : given)}
        onInput={({ currentTarget: { value } }) => setTyped(value)}
        onChange={({ currentTarget: { value } }) => {
          setTyped(null);
          change({ [name]: parameterOf(field, value, unset) });
        }}
        aria-invalid={error === null ? undefined : true}
        aria-describedby={error === null ? undefined : `${id}-error`}
      />
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}

/** Returns the parameter that a text means; what is not understood stays, for the API to refuse. */
function parameterOf({ kind, unit }: FilterField, text: string, unset: string): string | string[] | null {
  if (kind === 'words') return countryCodes(text);
  if (kind === 'numbers') return listedValues(text);
  if (text.trim() === unset) return null;
  return kind === 'share' ? shareText(text) : numberText(text, unit);
}
