import type { App } from '../../core/app.ts';
import { metricUnit } from '../../core/metrics.ts';
import { Select } from '../../parts/choice.tsx';
import { Icon } from '../../parts/icon.tsx';
import { type DealColumn, headOf } from './deal-columns.ts';
import { chosenSort, nextSort, sortChanges } from './deal-sort.ts';

interface Props {
  app: App;
  by: string;
  columns: readonly DealColumn[];
}

/** Sorts where the heads of the table do not show: on a phone. */
export function SortSelect({ app, by, columns }: Props) {
  const now = chosenSort(app.address.place.value.query);
  const sortable = [
    { name: 'rank', label: metricUnit(by), best: 'low' as const },
    ...columns.filter(({ name }) => name !== by),
  ];
  const isTurned = { name: now.name, order: now.order === 'asc' ? ('desc' as const) : ('asc' as const) };
  return (
    <div class="row on-phone">
      <Select
        label="Sort by"
        name="sort"
        options={sortable.map((column) => ({ value: column.name, label: headOf(column) }))}
        value={now.name}
        choose={(name) => {
          const column = sortable.find((each) => each.name === name);
          if (column !== undefined) app.address.change(sortChanges(nextSort(now, column)));
        }}
      />
      <button
        type="button"
        aria-label={now.order === 'asc' ? 'Sort descending' : 'Sort ascending'}
        onClick={() => app.address.change(sortChanges(isTurned))}
      >
        <Icon name={now.order === 'asc' ? 'dear' : 'good'} />
      </button>
    </div>
  );
}
