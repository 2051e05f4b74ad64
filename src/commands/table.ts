import Table from 'cli-table3';
import { escapeLine } from '../domain/control-characters.ts';

/** Rows for people: a plain table without borders, numbers to the right where `right` names the column. */
export function formatTable(
  head: string[],
  rows: (string | number)[][],
  right: readonly number[] = [],
): string {
  const blank = Object.fromEntries(
    ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right', 'left']
      .concat(['left-mid', 'mid', 'mid-mid', 'right', 'right-mid'])
      .map((name) => [name, '']),
  );
  const table = new Table({
    head,
    chars: { ...blank, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    colAligns: head.map((_, index) => (right.includes(index) ? 'right' : 'left')),
  });
  // Before the widths are counted: the printer would only make cells longer.
  table.push(...rows.map((row) => row.map((cell) => (typeof cell === 'string' ? escapeLine(cell) : cell))));
  return table.toString();
}
