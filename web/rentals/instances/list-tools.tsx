import type { Address } from '../../core/address.ts';
import type { Instance } from '../../core/api.ts';
import { sentenceCase } from '../../core/sentence-case.ts';
import { Choice, Select, Switch } from '../../parts/choice.tsx';
import type { BulkEnding } from './bulk-dialog.tsx';
import { type ShownList, type Sorting, type SortKey, shownLists, sortLabelsOf } from './instance-rows.ts';

interface ToolsProps {
  address: Address;
  shown: ShownList;
  search: string;
  /** null: in the order of the API; undefined: the heads of the table sort. */
  sorting: Sorting | null | undefined;
}

const labels: Record<ShownList, string> = { active: 'Active', ended: 'Ended', all: 'All' };

/** Chooses which instances the list shows, by a tab and a search, and on a phone their order. */
export function ListTools({ address, shown, search, sorting }: ToolsProps) {
  const sortLabels = sortLabelsOf(shown);
  return (
    <form
      class="choosers list-tools"
      aria-label="What the list shows"
      onSubmit={(event) => event.preventDefault()}
    >
      <Choice
        legend="Show"
        name="show"
        options={shownLists.map((value) => ({ value, label: labels[value] }))}
        chosen={shown}
        choose={(list) => address.change({ show: list === 'active' ? null : list })}
      />
      <label class="field">
        <span>Search</span>
        <input
          type="search"
          name="search"
          placeholder="Label, model…"
          value={search}
          onInput={({ currentTarget }) => address.complete({ search: currentTarget.value })}
        />
      </label>
      {sorting !== undefined && (
        <>
          <Select
            label="Sort by"
            name="sort"
            options={[
              { value: '', label: 'Instance number' },
              ...(Object.keys(sortLabels) as SortKey[]).map((value) => ({ value, label: sortLabels[value] })),
            ]}
            value={sorting?.key ?? ''}
            choose={(sort) => address.change({ sort, turned: null })}
          />
          {sorting !== null && (
            <Switch
              label="Reverse"
              name="turned"
              on={address.place.value.query.has('turned')}
              change={(on) => address.change({ turned: on ? '1' : null })}
            />
          )}
        </>
      )}
    </form>
  );
}

interface BarProps {
  /** The ticked rows. */
  chosen: readonly Instance[];
  end: (ending: BulkEnding) => void;
}

/** Stops or destroys the ticked instances together; until one is ticked it only says how. */
export function BulkBar({ chosen, end }: BarProps) {
  const endings: readonly BulkEnding[] = [
    { kind: 'stop', instances: chosen.filter(({ state }) => state !== 'stopped') },
    { kind: 'destroy', instances: chosen },
  ];
  if (chosen.length === 0) {
    return <p class="row bulk-bar soft wide">Select rows to stop or destroy several at once.</p>;
  }
  return (
    <p class="row bulk-bar chosen">
      {endings.map((ending) => (
        <button
          key={ending.kind}
          type="button"
          class={ending.kind === 'destroy' ? 'small danger' : 'small'}
          disabled={ending.instances.length === 0}
          onClick={() => end(ending)}
        >
          {sentenceCase(ending.kind)}
          {ending.instances.length === 0 ? '' : ` ${ending.instances.length}`}…
        </button>
      ))}
      <span class="soft">{chosen.length} selected</span>
    </p>
  );
}
