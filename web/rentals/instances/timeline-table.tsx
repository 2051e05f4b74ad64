import { useState } from 'preact/hooks';
import { actorWords } from '../../core/actor-words.ts';
import type { InstanceDetail } from '../../core/api.ts';
import { Choice } from '../../parts/choice.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { type EntryKind, entryKinds, isClose, timelineOf } from './timeline.ts';

const labels: Record<EntryKind | 'all', string> = {
  all: 'All',
  state: 'States',
  price: 'Prices',
  action: 'Actions',
};
const kindNames: Record<EntryKind, string> = { state: 'State', price: 'Price', action: 'Action' };

/** Entries that are shown at first. */
const maxShown = 20;

/** Everything that happened to an instance, the newest first. */
export function TimelineTable({ detail }: { detail: InstanceDetail }) {
  const [shown, setShown] = useState<EntryKind | 'all'>('all');
  const [isAll, setIsAll] = useState(false);
  const entries = timelineOf(detail).filter(({ kind }) => shown === 'all' || kind === shown);
  return (
    <>
      <div class="choosers">
        <Choice
          legend="Show"
          name="timeline"
          options={(['all', ...entryKinds] as const).map((value) => ({ value, label: labels[value] }))}
          chosen={shown}
          choose={setShown}
        />
      </div>
      {entries.length === 0 ? (
        <p class="caption">Nothing of this kind is recorded.</p>
      ) : (
        <DataTable
          label="Timeline"
          id="timeline"
          stacks
          rows={entries.slice(0, isAll ? entries.length : maxShown).map((entry, index) => ({
            ...entry,
            key: `${entry.at} ${index}`,
            isClose: isClose(entries, index),
          }))}
          keyOf={({ key }) => key}
          columns={[
            { head: 'Time', heads: true, cell: ({ at, isClose }) => <Moment t={at} seconds={isClose} /> },
            { head: 'Kind', field: 'kind', value: ({ kind }) => kind, cell: ({ kind }) => kindNames[kind] },
            { head: 'What', cell: ({ text }) => text },
            {
              head: 'Who',
              class: ({ by }) => (by === null ? 'empty' : ''),
              cell: ({ by }) => (by === null ? <span class="soft">observed</span> : actorWords(by)),
            },
            {
              head: 'Detail',
              class: ({ detail }) => (detail === null ? 'empty' : 'wraps'),
              cell: ({ detail }) => detail ?? '–',
            },
          ]}
        />
      )}
      {!isAll && entries.length > maxShown && (
        <button type="button" class="more" onClick={() => setIsAll(true)}>
          Show all {entries.length} entries
        </button>
      )}
    </>
  );
}
