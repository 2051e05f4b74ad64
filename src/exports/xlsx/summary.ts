import { Decimal } from 'decimal.js';
import type { ExportCell, ExportColumn } from '../export-column.ts';
import type { ExportTable } from '../table.ts';
import type { ZoneClock } from '../zone-clock.ts';
import {
  type CutCount,
  columnLetters,
  dayNumber,
  numberCell,
  sheetReference,
  styles,
  textCell,
} from './cells.ts';
import type { DataSheet } from './data-sheet.ts';

const Exact = Decimal.clone({ precision: 200, toExpNeg: -1000, toExpPos: 1000 });
const kinds = ['consumption', 'estimate', 'payment'] as const;
type Kind = (typeof kinds)[number];

/** Sums by month and kind of the entries that count, as they pass. */
export interface MonthlySums {
  add: (row: readonly ExportCell[]) => void;
  months: () => { month: string; sums: Record<Kind, Decimal> }[];
}

/** Sums the amounts of rows by the month of their start, those that have disappeared left out. */
export function createMonthlySums(columns: readonly ExportColumn[], clock: ZoneClock): MonthlySums {
  const at = placesOf(columns);
  const months = new Map<string, Record<Kind, Decimal>>();
  return {
    add: (row) => {
      const start = row[at.start];
      if (!(start instanceof Date) || (row[at.disappearedAt] ?? null) !== null) return;
      const month = clock.localText(start).slice(0, 7);
      const sums = months.get(month) ?? {
        consumption: new Exact(0),
        estimate: new Exact(0),
        payment: new Exact(0),
      };
      months.set(month, sums);
      const kind = row[at.kind] as Kind;
      sums[kind] = sums[kind].plus(String(row[at.amountUsd] ?? 0));
    },
    months: () => [...months].sort(([a], [b]) => (a < b ? -1 : 1)).map(([month, sums]) => ({ month, sums })),
  };
}

interface Summary {
  table: ExportTable;
  sheets: readonly DataSheet[];
  cut: CutCount;
  sums: MonthlySums | null;
  clock: ZoneClock;
  timeZone: string;
}

/** The sheet that says what the others hold; of bills by month, formulas over the data with their values beside. */
export function summarySheet({ table, sheets, cut, sums, timeZone }: Summary): string {
  const dataRows = sheets.reduce((total, { lastRow }) => total + lastRow - 1, 0);
  const facts = [
    [textCell(table.title, styles.bold)],
    [textCell('Rows'), numberCell(dataRows, styles.plain)],
    [textCell('Times are of'), textCell(timeZone)],
    [textCell('Texts cut to the 32,767 characters of a cell'), numberCell(cut.cells, styles.plain)],
    [],
  ];
  const rows = [...facts, ...(sums === null ? [] : monthRows(table, sheets, sums, facts.length + 1))];
  const xml = rows.map((cells) => `<row>${cells.join('')}</row>`).join('');
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cols>' +
    `<col min="1" max="1" width="48" customWidth="1"/><col min="2" max="8" width="22" customWidth="1"/></cols>` +
    `<sheetData>${xml}</sheetData></worksheet>`
  );
}

function monthRows(
  { columns }: ExportTable,
  sheets: readonly DataSheet[],
  sums: MonthlySums,
  headRow: number,
): string[][] {
  const months = sums.months();
  const heads = kinds.flatMap((kind) => [`${kind} USD`, `${kind} USD, value`]);
  const head = ['Month in which entries start', 'Next month', ...heads].map((text) =>
    textCell(text, styles.head),
  );
  const lines = months.map(({ month, sums: values }, index) => {
    const row = headRow + 1 + index;
    const cells = kinds.flatMap((kind) => [
      formulaCell(monthFormula(columns, sheets, kind, row), values[kind], styles.usd),
      numberCell(values[kind].toString(), styles.usd),
    ]);
    return [dateCell(month, 0), dateCell(month, 1), ...cells];
  });
  if (months.length === 0) return [head];
  const last = headRow + months.length;
  const totals = kinds.flatMap((kind, index) => {
    const sum = months.reduce((total, { sums: values }) => total.plus(values[kind]), new Exact(0));
    const column = columnLetters(2 + 2 * index);
    const formula = `SUM(${column}${headRow + 1}:${column}${last})`;
    return [formulaCell(formula, sum, styles.boldUsd), numberCell(sum.toString(), styles.boldUsd)];
  });
  return [head, ...lines, [textCell('In all', styles.bold), '<c/>', ...totals]];
}

/** The sum of the entries of a kind that start in the row's month and have not disappeared. */
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
      return `${sheetReference(name)}!$${letters}$2:$${letters}$${Math.max(2, lastRow)}`;
    };
    return (
      `SUMIFS(${range(at.amountUsd)},${range(at.kind)},"${kind}",${range(at.start)},"&gt;="&amp;$A${row},` +
      `${range(at.start)},"&lt;"&amp;$B${row},${range(at.disappearedAt)},"=")`
    );
  });
  return sums.join('+');
}

const formulaCell = (formula: string, value: Decimal, style: number): string =>
  `<c s="${style}"><f>${formula}</f><v>${value.toString()}</v></c>`;

function dateCell(month: string, later: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const utc = { offsetMs: () => 0, localText: () => '', offsetText: () => '' };
  return numberCell(dayNumber(new Date(Date.UTC(year, number - 1 + later, 1)), utc), styles.date);
}

function placesOf(columns: readonly ExportColumn[]) {
  const place = (name: string): number => columns.findIndex((column) => column.name === name);
  return {
    ...{ start: place('start'), kind: place('kind'), amountUsd: place('amountUsd') },
    disappearedAt: place('disappearedAt'),
  };
}
