import type { App } from '../../core/app.ts';
import { Select } from '../../parts/choice.tsx';
import { Icon } from '../../parts/icon.tsx';
import { type DealColumn, headOf } from './deal-columns.ts';
import { chosenSort, nextSort, sortChanges } from './deal-sort.ts';
import { chosenKey, defaultKey, rankingOptions } from './ranking-request.ts';

interface Props {
  app: App;
  columns: readonly DealColumn[];
}

/** The metric that offers are ranked by. */
export function RankSelect({ app }: Pick<Props, 'app'>) {
  const { query } = app.address.place.value;
  return (
    <Select
      label="Sort by"
      name="by"
      options={rankingOptions}
      value={chosenKey(query)}
      choose={(by) =>
        app.address.change({ by: by === defaultKey(query) ? null : by, sort: null, order: null })
      }
    />
  );
}

/** The one control of order on a phone, where the heads of the table do not show: a metric to rank by or a column. */
export function OrderSelect({ app, columns }: Props) {
  const { query } = app.address.place.value;
  const by = chosenKey(query);
  const now = chosenSort(query);
  const metrics = rankingOptions.map(({ value }) => value);
  // Prices are among the metrics.
  const sortable = columns.filter(({ name }) => !metrics.some((metric) => metric === name));
  const isTurned = { name: now.name, order: now.order === 'asc' ? ('desc' as const) : ('asc' as const) };
  return (
    <div class="row ordering">
      <Select
        label="Sort by"
        name="sort"
        options={[
          ...rankingOptions,
          ...sortable.map((column) => ({ value: column.name, label: headOf(column) })),
        ]}
        value={now.name === 'rank' ? by : now.name}
        choose={(name) => {
          const column = sortable.find((each) => each.name === name);
          app.address.change(
            column === undefined
              ? { by: name === defaultKey(query) ? null : name, sort: null, order: null }
              : sortChanges(nextSort(now, column)),
          );
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
