import type { ComponentChildren } from 'preact';
import { Scroll } from './scroll.tsx';

/** A column of a table. */
export interface Column<T> {
  head: string;
  /** Shown below the head. */
  unit?: string;
  /** Tooltip. */
  title?: string;
  number?: boolean;
  /** Whether it is the row header. */
  heads?: boolean;
  cell: (row: T) => ComponentChildren;
  /** Name and value of the API's field, for tests. */
  field?: string;
  value?: (row: T) => string | number | boolean | null | undefined;
  class?: (row: T) => string;
  /** Whether it contains the row's buttons. */
  actions?: boolean;
  /** Sorts the rows by it; `now` is their present order by it, null if it is not. */
  sort?: { now: 'ascending' | 'descending' | null; by: () => void };
  /** What its head shows in place of the text. */
  headCell?: ComponentChildren;
}

interface Props<T> {
  label: string;
  id?: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  caption?: ComponentChildren;
  tall?: boolean;
  /** Whether each row becomes a block on a phone, to avoid sideways scrolling. */
  stacks?: boolean;
  /** Whether each row becomes a card of few lines on a phone, with the cell of the class `main` beside its header. */
  compact?: boolean;
  /** Whether a row is the one that the table is about. @default none is */
  isCurrent?: (row: T) => boolean;
}

/** A table of rows of one kind; scrolls by itself if it is wide. */
export function DataTable<T>(props: Props<T>) {
  const { label, id, columns, rows, keyOf, caption, tall = false, stacks = false, compact = false } = props;
  const { isCurrent } = props;
  return (
    <Scroll label={label} tall={tall}>
      <table id={id} class={stacks ? 'stacks' : compact ? 'compact' : undefined}>
        {caption !== undefined && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map(({ head, unit, title, number, actions, sort, headCell }) => (
              <th
                key={head}
                scope="col"
                title={title}
                class={number === true ? 'number' : actions === true ? 'actions' : undefined}
                aria-sort={sort === undefined ? undefined : (sort.now ?? 'none')}
              >
                {headCell ??
                  (actions === true ? (
                    <span class="hidden">{head}</span>
                  ) : sort === undefined ? (
                    head
                  ) : (
                    <button
                      type="button"
                      class={sort.now === null ? 'sort' : 'sort chosen'}
                      onClick={sort.by}
                    >
                      {head}
                    </button>
                  ))}
                {unit !== undefined && <small class="unit">{unit}</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              data-key={keyOf(row)}
              aria-current={isCurrent?.(row) === true ? 'true' : undefined}
            >
              {columns.map((column) => (
                <Cell key={column.head} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

const labelOf = ({ head, unit }: Pick<Column<unknown>, 'head' | 'unit'>): string =>
  unit === undefined ? head : `${head}, ${unit}`;

function Cell<T>({ column, row }: { column: Column<T>; row: T }) {
  const names = [
    column.number === true ? 'number' : '',
    column.actions === true ? 'actions' : '',
    column.class?.(row) ?? '',
  ]
    .filter((name) => name !== '')
    .join(' ');
  const shared = {
    class: names === '' ? undefined : names,
    'data-head': column.actions === true ? undefined : labelOf(column),
    'data-field': column.field,
    'data-value': column.value?.(row) ?? undefined,
  };
  if (column.heads === true) {
    return (
      <th scope="row" {...shared}>
        {column.cell(row)}
      </th>
    );
  }
  return <td {...shared}>{column.cell(row)}</td>;
}
