import { formatTable } from '../../core/terminal/table.ts';

type Cell = string | number;

/** Returns a table of market rows, with a first column for the market if there are several or several were asked for. */
export function marketTable(
  head: string[],
  rows: Cell[][],
  {
    markets,
    asked = [],
    numbers,
  }: {
    markets: readonly string[];
    asked?: string | readonly string[] | undefined;
    numbers: readonly number[];
  },
): string {
  if (new Set([...markets, ...[asked].flat()]).size < 2) return formatTable(head, rows, numbers);
  return formatTable(
    ['Market', ...head],
    rows.map((row, index) => [markets[index] ?? '', ...row]),
    numbers.map((column) => column + 1),
  );
}
