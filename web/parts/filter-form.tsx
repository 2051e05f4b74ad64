import { useId } from 'preact/hooks';
import type { Changes } from '../core/address.ts';
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

interface Props {
  query: URLSearchParams;
  change: (changes: Changes) => void;
}

/** Filters besides model and type, collapsed; each goes into the query under the API's name. */
export function FilterForm({ query, change }: Props) {
  const set = countFilters(query);
  return (
    <details class="fold" open={set > 0}>
      <summary>Filters{set > 0 && <span class="count">{set}</span>}</summary>
      <form class="fields" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
        {filterFields.map((field) => (
          <Field key={field.name} field={field} query={query} change={change} />
        ))}
        {set > 0 && (
          <button
            type="button"
            class="quiet"
            onClick={() => change(Object.fromEntries(filterFields.map(({ name }) => [name, null])))}
          >
            Clear filters
          </button>
        )}
      </form>
    </details>
  );
}

/** The usage profile for prices, collapsed. */
export function ProfileForm({ query, change }: Props) {
  const set = profileFields.some(({ name }) => query.has(name));
  const value = (name: string) => query.get(name) ?? profileDefaults[name];
  return (
    <details class="fold" open={set}>
      <summary>
        Usage profile
        <span class="soft">
          {' '}
          {value('storageGb')} GB disk, {value('runningHours')} h
        </span>
      </summary>
      <form class="fields" aria-label="Usage profile" onSubmit={(event) => event.preventDefault()}>
        {profileFields.map((field) => (
          <Field
            key={field.name}
            field={{ ...field, title: `Default: ${profileDefaults[field.name]}` }}
            query={query}
            change={change}
            unset={profileDefaults[field.name] ?? ''}
          />
        ))}
      </form>
    </details>
  );
}

interface FieldProps extends Props {
  field: FilterField;
  /** Placeholder: the default. */
  unset?: string;
}

/** One parameter as a field; it applies when the reader leaves it or presses Enter. */
function Field({ field, query, change, unset = '' }: FieldProps) {
  const { name, label, kind, choices = [], unit, title } = field;
  const id = useId();
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
  const single = kind === 'number';
  const shared = {
    id,
    name,
    placeholder: unset === '' ? 'Any' : unset,
    value: query.getAll(name).join(', '),
    onChange: ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) =>
      change({ [name]: single ? (value === unset ? null : value) : listedValues(value) }),
  };
  return (
    <div class="field narrow" title={title}>
      <label for={id}>
        {label}
        {unit !== undefined && <small> {unit}</small>}
      </label>
      {single ? <input type="number" min={0} step="any" {...shared} /> : <input type="text" {...shared} />}
    </div>
  );
}
