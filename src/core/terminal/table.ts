import Table from 'cli-table3';
import { escapeLine } from '../control-characters.ts';

type Cell = string | number;

/**
 * Returns rows as a plain table without borders, with the columns in `right` aligned right. If it is wider than the
 * terminal, columns of text are cut, never numbers or names; if that is not enough, each row is written as `name value`
 * cells. `width` in characters. @default the terminal's; none elsewhere
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
  const draw = (drawn: Cell[][]): string => {
    const table = new Table({
      head,
      chars: { ...blank, middle: gap },
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
      colAligns: head.map((_, index) => (right.includes(index) ? 'right' : 'left')),
    });
    table.push(...drawn);
    return table.toString();
  };
  // Escaped before widths are counted: escaping makes cells longer.
  const plain = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? escapeLine(cell) : cell)));
  if (plain.length === 0) return draw(plain);
  const fitting = cutTexts(head, plain, right, width);
  return fitting === null ? plain.map((row) => formatRow(head, row, width)).join('\n') : draw(fitting);
}

const gap = '  ';
const minText = 16;

/** Returns the rows with text columns cut until a line fits; null: they do not fit. */
function cutTexts(
  head: readonly string[],
  rows: readonly Cell[][],
  right: readonly number[],
  width: number,
): Cell[][] | null {
  const widths = head.map((name, at) =>
    Math.max(name.length, ...rows.map((row) => `${row[at] ?? ''}`.length)),
  );
  const isText = head.map(
    (_, at) => !right.includes(at) && rows.some((row) => `${row[at] ?? ''}`.includes(' ')),
  );
  let over = widths.reduce((sum, each) => sum + each, gap.length * (head.length - 1)) - width;
  while (over > 0) {
    const cuttable = widths.map((each, at) =>
      isText[at] && each > Math.max(minText, head[at]?.length ?? 0) ? each : 0,
    );
    const widest = Math.max(...cuttable);
    if (widest <= 0) return null;
    const at = cuttable.indexOf(widest);
    const next = Math.max(minText, widest - over, ...cuttable.filter((each) => each < widest));
    over -= widest - next;
    widths[at] = next;
  }
  return rows.map((row) =>
    row.map((cell, at) => {
      const text = `${cell}`;
      const most = widths[at] ?? text.length;
      return text.length <= most ? cell : `${text.slice(0, most - 1)}…`;
    }),
  );
}

/** Returns `name  value` lines with aligned values. */
export function formatFacts(facts: readonly (readonly [name: string, value: Cell])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `${name.padEnd(width)}${gap}${escapeLine(`${value}`)}`).join('\n');
}

/** Returns `name value` for each cell with a value, in lines of at most `width` where possible. */
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
