import { Decimal } from 'decimal.js';
import { type ExportCell, isoMoment } from '../export-cell.ts';
import type { ExportColumn } from '../export-column.ts';
import type { ExportTable } from '../table.ts';
import type { ZoneClock } from '../zone-clock.ts';
import {
  type CutCount,
  columnLetters,
  dayNumber,
  numberCell,
  rangeReference,
  styles,
  textCell,
} from './cells.ts';
import { sheetEnd, sheetStart } from './parts.ts';

const Exact = Decimal.clone({ precision: 200, toExpNeg: -1000, toExpPos: 1000 });
const kinds = ['consumption', 'estimate', 'payment'] as const;
type Kind = (typeof kinds)[number];
const kindHeads = {
  consumption: 'Consumption USD',
  estimate: 'Estimate USD, not billed yet',
  payment: 'Payment USD, negative if paid in',
} satisfies Record<Kind, string>;
type Sums = Record<Kind, Decimal>;

/** Sums entries by month and kind while they pass. */
export interface MonthlySums {
  add: (row: readonly ExportCell[]) => void;
  /** By month, `2026-03`. */
  months: Map<string, Sums>;
}

/** Sums the amounts of rows by the month in which they start, without entries that have disappeared. */
export function createMonthlySums(columns: readonly ExportColumn[], clock: ZoneClock): MonthlySums {
  const at = placesOf(columns);
  const months = new Map<string, Sums>();
  return {
    add: (row) => {
      const start = row[at.start] ?? null;
      if (start === null || (row[at.disappearedAt] ?? null) !== null) return;
      const month = clock.localText(new Date(isoMoment(start))).slice(0, 7);
      const zero = new Exact(0);
      const sums = months.get(month) ?? { consumption: zero, estimate: zero, payment: zero };
      months.set(month, sums);
      const kind = row[at.kind] as Kind;
      sums[kind] = sums[kind].plus(row[at.amountUsd] ?? 0);
    },
    months,
  };
}

/** A data sheet that was written. */
export interface DataSheet {
  name: string;
  /** Number of the last row; the header is row 1. */
  lastRow: number;
}

interface Summary {
  table: Pick<ExportTable, 'title' | 'columns' | 'facts'>;
  sheets: readonly DataSheet[];
  cut: CutCount;
  sums: MonthlySums | null;
  totals: Awaited<ReturnType<NonNullable<ExportTable['totals']>>>;
  timeZone: string;
}

/** Returns the summary sheet; for bills it has sums by month, as formulas over the data next to their values. */
export function summaryXml({ table, sheets, cut, sums, totals, timeZone }: Summary): string {
  const dataRows = sheets.reduce((total, { lastRow }) => total + lastRow - 1, 0);
  const facts = [
    [textCell(table.title, styles.bold)],
    ...(table.facts ?? []).map(([what, value]) => [textCell(what), textCell(value)]),
    [textCell('Rows'), numberCell(dataRows)],
    ...totals.map(([what, usd]) => [textCell(what, styles.bold), numberCell(usd, styles.boldUsd)]),
    [textCell('Times are of'), textCell(timeZone)],
    [textCell('Meaning and unit of each column'), textCell('on the sheet Columns')],
    ...(cut.cells === 0
      ? []
      : [[textCell('Texts cut to the 32,767 characters of a cell'), numberCell(cut.cells)]]),
    [],
  ];
  const months = sums === null ? [] : monthRows(table.columns, sheets, sums, facts.length + 1);
  const rows = [...facts, ...months];
  const xml = rows.map((cells) => `<row>${cells.join('')}</row>`).join('');
  return sheetStart([48, 22, ...Array<number>(6).fill(46)], { isFrozen: false }) + xml + sheetEnd(null);
}

function monthRows(
  columns: readonly ExportColumn[],
  sheets: readonly DataSheet[],
  sums: MonthlySums,
  headRow: number,
): string[][] {
  const months = [...sums.months].sort(([a], [b]) => (a < b ? -1 : 1));
  const heads = kinds.flatMap((kind) => [
    `${kindHeads[kind]} (formula)`,
    `${kindHeads[kind]} (plain number)`,
  ]);
  const head = ['Month in which entries start', 'Next month', ...heads].map((text) =>
    textCell(text, styles.bold),
  );
  if (months.length === 0) return [head];
  const lines = months.map(([month, values], index) => [
    dateCell(month, 0),
    dateCell(month, 1),
    ...kinds.flatMap((kind) =>
      sumCells(monthFormula(columns, sheets, kind, headRow + 1 + index), values[kind], styles.usd),
    ),
  ]);
  const totals = kinds.flatMap((kind, index) => {
    const sum = months.reduce((total, [, values]) => total.plus(values[kind]), new Exact(0));
    const column = columnLetters(2 + 2 * index);
    return sumCells(`SUM(${column}${headRow + 1}:${column}${headRow + months.length})`, sum, styles.boldUsd);
  });
  return [head, ...lines, [textCell('Total', styles.bold), '<c/>', ...totals], [], [textCell(formulasNote)]];
}

const formulasNote =
  'Each sum stands twice: as a formula over the entries from its month to before the next, and beside it the same sum as a plain number, for programs that do not compute formulas.';

/** The sum of a kind's entries that start in the row's month and have not disappeared. */
function monthFormula(
  columns: readonly ExportColumn[],
  sheets: readonly DataSheet[],
  kind: Kind,
  row: number,
): string {
  const at = placesOf(columns);
  const sums = sheets.map(({ name, lastRow }) => {
    const range = (column: number): string => {
      const letters = columnLetters(column);
      return rangeReference(name, `$${letters}$2:$${letters}$${Math.max(2, lastRow)}`);
    };
    return (
      `SUMIFS(${range(at.amountUsd)},${range(at.kind)},"${kind}",${range(at.start)},"&gt;="&amp;$A${row},` +
      `${range(at.start)},"&lt;"&amp;$B${row},${range(at.disappearedAt)},"=")`
    );
  });
  return sums.join('+');
}

/** Returns two cells: a formula with its value, and the value alone. */
const sumCells = (formula: string, sum: Decimal, style: number): [string, string] => [
  `<c s="${style}"><f>${formula}</f><v>${sum.toString()}</v></c>`,
  numberCell(sum.toString(), style),
];

/** Returns the cell of a month's first day, or of the month that many later. */
function dateCell(month: string, later: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return numberCell(dayNumber(Date.UTC(year, number - 1 + later, 1)), styles.date);
}

function placesOf(columns: readonly ExportColumn[]) {
  const place = (name: string): number => columns.findIndex((column) => column.name === name);
  return {
    start: place('start'),
    kind: place('kind'),
    amountUsd: place('amountUsd'),
    disappearedAt: place('disappearedAt'),
  };
}
