import Table from 'cli-table3';
import { escapeLine } from '../control-characters.ts';

type Cell = string | number;

/**
 * Rows for people: a plain table without borders, numbers to the right where `right` names the column. A table wider than
 * the terminal is given row by row, each cell after its column's name: lines that wrap anywhere could not be read.
 * `width` in characters. @default the terminal's; none elsewhere
 */
export function formatTable(
  head: string[],
  rows: Cell[][],
  right: readonly number[] = [],
  width = process.stdout.columns ?? Number.POSITIVE_INFINITY,
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
  const plain = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? escapeLine(cell) : cell)));
  table.push(...plain);
  const text = table.toString();
  const widest = Math.max(...text.split('\n').map((line) => line.trimEnd().length));
  return widest <= width || rows.length === 0
    ? text
    : plain.map((row) => formatRow(head, row, width)).join('\n');
}

/** `name value` of each cell that has a value, in lines of at most `width` where they can be. */
function formatRow(head: readonly string[], row: readonly Cell[], width: number): string {
  const cells = row
    .map((cell, index) => `${head[index] ?? ''} ${cell}`.trim())
    .filter((_, index) => row[index] !== '');
  const lines: string[] = [];
  for (const cell of cells) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 2 + cell.length <= width)
      lines[lines.length - 1] = `${last}, ${cell}`;
    else lines.push(last === undefined ? cell : `  ${cell}`);
  }
  return lines.join('\n');
}
