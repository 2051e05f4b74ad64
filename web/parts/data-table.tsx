import type { ComponentChildren } from 'preact';
import { Scroll } from './scroll.tsx';

/** A column of a table. */
export interface Column<T> {
  head: string;
  /** Said on hover. */
  title?: string;
  number?: boolean;
  /** Whether it names the row. */
  heads?: boolean;
  cell: (row: T) => ComponentChildren;
  /** Name of the API's field and its own value, for whoever compares. */
  field?: string;
  value?: (row: T) => string | number | boolean | null | undefined;
  class?: (row: T) => string;
}

interface Props<T> {
  label: string;
  id?: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  caption?: ComponentChildren;
  tall?: boolean;
}

/** Rows of one kind as a table that scrolls by itself where it is wide. */
export function DataTable<T>({ label, id, columns, rows, keyOf, caption, tall = false }: Props<T>) {
  return (
    <Scroll label={label} tall={tall}>
      <table id={id}>
        {caption !== undefined && <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map(({ head, title, number }) => (
              <th key={head} scope="col" title={title} class={number === true ? 'number' : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-key={keyOf(row)}>
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

function Cell<T>({ column, row }: { column: Column<T>; row: T }) {
  const names = [column.number === true ? 'number' : '', column.class?.(row) ?? ''].join(' ').trim();
  const shared = {
    class: names === '' ? undefined : names,
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
