import type { App } from '../../core/app.ts';
import {
  columnChanges,
  type DealColumn,
  dealColumns,
  defaultColumns,
  headOf,
  isDefault,
} from './deal-columns.ts';

interface Props {
  app: App;
  shown: readonly DealColumn[];
}

/** Chooses the columns of deals; the address has them, and the browser remembers them. */
export function ColumnsMenu({ app, shown }: Props) {
  const names = shown.map(({ name }) => name);
  const choose = (chosen: readonly string[]) => {
    app.dealColumns.set(isDefault(chosen) ? null : chosen);
    app.address.change(columnChanges(chosen));
  };
  return (
    <details
      class="menu checks"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.currentTarget.open = false;
        event.currentTarget.querySelector('summary')?.focus();
      }}
    >
      <summary>Columns</summary>
      <ul>
        {dealColumns.map((column) => (
          <li key={column.name}>
            <label>
              <input
                type="checkbox"
                name="column"
                value={column.name}
                checked={names.includes(column.name)}
                onChange={({ currentTarget: { checked } }) =>
                  choose(checked ? [...names, column.name] : names.filter((each) => each !== column.name))
                }
              />
              {headOf(column)}
            </label>
          </li>
        ))}
        {!isDefault(names) && (
          <li>
            <button type="button" class="quiet small" onClick={() => choose(defaultColumns)}>
              Default columns
            </button>
          </li>
        )}
      </ul>
    </details>
  );
}
