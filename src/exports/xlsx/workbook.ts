import { headOf } from '../../core/column-heads.ts';
import type { ExportCell } from '../export-cell.ts';
import type { ColumnType, ExportColumn } from '../export-column.ts';
import { type ExportRows, type ExportTable, oneGroup, type SideTable } from '../table.ts';
import { createZoneClock, type ZoneClock } from '../zone-clock.ts';
import { type CutCount, cellXml, columnLetters, styles, textCell } from './cells.ts';
import { columnSheetXml } from './column-sheet.ts';
import { addParts, type ListedSheet, sheetEnd, sheetStart } from './parts.ts';
import { createMonthlySums, type DataSheet, type MonthlySums, summaryXml } from './summary.ts';
import { type AddFile, writeZip } from './zip.ts';

/** Characters that are passed on at once: a longer string gets memory pages of its own. */
const pieceLength = 32_768;
/** Maximum number of rows in a sheet, including its header. */
const maxSheetRows = 1_048_576;

interface Options {
  /** Time zone of the times shown. */
  timeZone: string;
  /** false: only the rows. @default true */
  summary?: boolean;
  /** Maximum rows per sheet. @default the most that a spreadsheet allows */
  sheetRows?: number;
}

/**
 * Writes a table as a workbook: a summary first, then what each column means, then the rows with typed cells, a frozen
 * header, filters and widths, on as many sheets as needed, then the additional tables. Memory does not grow with the
 * number of rows.
 */
export function writeXlsx(
  table: Pick<ExportTable, 'title' | 'columns' | 'keepsNames' | 'facts' | 'totals' | 'monthly' | 'beside'>,
  rows: ExportRows,
  { timeZone, summary = true, sheetRows = maxSheetRows }: Options,
): AsyncGenerator<Buffer> {
  const clock = createZoneClock(timeZone);
  const cut: CutCount = { cells: 0 };
  const sums = table.monthly ? createMonthlySums(table.columns, clock) : null;
  return writeZip(async (add) => {
    const listed: ListedSheet[] = [];
    const context = { add, listed, clock, cut, sheetRows, keepsNames: table.keepsNames === true };
    const sheets = await addSheets(table, rows, sums, context);
    const sides = (await table.beside?.()) ?? [];
    for (const side of sides) await addSheets(side, oneGroup(rowsOf(side)), null, context);
    if (summary) {
      const described = [table, ...sides].map(({ title, columns }) => ({ sheet: title, columns }));
      listed.unshift({ name: 'Columns', path: 'worksheets/columns.xml', filters: null });
      await add('xl/worksheets/columns.xml', [columnSheetXml(described, { ...context, timeZone })]);
      const totals = (await table.totals?.()) ?? [];
      // The summary is the first sheet that people see and the last one written.
      listed.unshift({ name: 'Summary', path: 'worksheets/summary.xml', filters: null });
      await add('xl/worksheets/summary.xml', [summaryXml({ table, sheets, cut, sums, totals, timeZone })]);
    }
    await addParts(add, listed);
  });
}

/** The rows of a table; without any, one that says so if it can. */
const rowsOf = ({ rows, none }: SideTable): SideTable['rows'] =>
  rows.length > 0 || none === undefined ? rows : [[none]];

interface Context {
  add: AddFile;
  listed: ListedSheet[];
  clock: ZoneClock;
  cut: CutCount;
  sheetRows: number;
  keepsNames: boolean;
}

/** Adds rows, on as many sheets as they need. */
async function addSheets(
  { title, columns }: Pick<ExportTable, 'title' | 'columns'>,
  groups: ExportRows,
  sums: MonthlySums | null,
  { add, listed, clock, cut, sheetRows, keepsNames }: Context,
): Promise<DataSheet[]> {
  const sheets: DataSheet[] = [];
  const rows = eachOf(groups);
  try {
    let next = await rows.next();
    const sheetXml = async function* (sheet: DataSheet): AsyncGenerator<string> {
      const heads = columns.map(({ name }) => (keepsNames ? name : headOf(name)));
      const widths = columns.map(({ type }, index) => widthOf(type, heads[index] ?? ''));
      yield `${sheetStart(widths, { isFrozen: true })}${headXml(heads)}`;
      let text = '';
      for (; next.done !== true && sheet.lastRow < sheetRows; next = await rows.next()) {
        const row = next.value;
        sums?.add(row);
        text += '<row>';
        for (let index = 0; index < columns.length; index += 1) {
          text += cellXml(row[index] ?? null, columns[index] ?? noColumn, clock, cut);
        }
        text += '</row>';
        sheet.lastRow += 1;
        if (text.length < pieceLength) continue;
        yield text;
        text = '';
      }
      yield text + sheetEnd(filterRange(columns, sheet));
    };
    do {
      const number = sheets.length + 1;
      const sheet: DataSheet = { name: number === 1 ? title : `${title} ${number}`, lastRow: 1 };
      sheets.push(sheet);
      const path = `worksheets/sheet${listed.length + 1}.xml`;
      await add(`xl/${path}`, sheetXml(sheet));
      listed.push({ name: sheet.name, path, filters: filterRange(columns, sheet) });
    } while (next.done !== true);
  } finally {
    await rows.return(undefined);
  }
  return sheets;
}

async function* eachOf(groups: ExportRows): AsyncGenerator<readonly ExportCell[]> {
  for await (const rows of groups) yield* rows;
}

const noColumn: ExportColumn = { name: '', type: 'text' };

const headXml = (heads: readonly string[]): string =>
  `<row>${heads.map((head) => textCell(head, styles.bold)).join('')}</row>`;

const widthOf = (type: ColumnType, head: string): number =>
  Math.max(head.length + 4, { moment: 20, text: 22 }[type as string] ?? 14);

const filterRange = ({ length }: readonly ExportColumn[], { lastRow }: DataSheet): string =>
  `$A$1:$${columnLetters(length - 1)}$${lastRow}`;
