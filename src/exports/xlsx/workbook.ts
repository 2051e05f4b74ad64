import type { ExportCell, ExportColumn } from '../export-column.ts';
import type { ExportTable } from '../table.ts';
import { createZoneClock, type ZoneClock } from '../zone-clock.ts';
import { type CutCount, cellXml, columnLetters, styles, textCell } from './cells.ts';
import type { DataSheet } from './data-sheet.ts';
import { contentTypes, packageRels, stylesXml, workbookRels, workbookXml } from './parts.ts';
import { createMonthlySums, type MonthlySums, summarySheet } from './summary.ts';
import { writeZip, type ZipFile } from './zip.ts';

/** Characters that are handed on at once: longer texts have pages of memory of their own. */
const pieceLength = 32_768;
/** Rows that a sheet can hold, its head included. */
const mostSheetRows = 1_048_576;

type Groups = AsyncIterable<readonly (readonly ExportCell[])[]>;

/**
 * A table as a workbook: a summary first, then the rows with typed cells, a frozen head, filters and widths, on as
 * many sheets as they need, then the tables beside it. Nothing grows with the number of rows. Times are local ones of
 * `timeZone`.
 */
export function writeXlsx(
  table: ExportTable,
  groups: Groups,
  { timeZone, sheetRows = mostSheetRows }: { timeZone: string; sheetRows?: number },
): AsyncGenerator<Buffer> {
  return writeZip(workbookFiles(table, groups, timeZone, sheetRows));
}

async function* workbookFiles(
  table: ExportTable,
  groups: Groups,
  timeZone: string,
  sheetRows: number,
): AsyncGenerator<ZipFile> {
  const clock = createZoneClock(timeZone);
  const cut: CutCount = { cells: 0 };
  const sums = table.monthly ? createMonthlySums(table.columns, clock) : null;
  const all: DataSheet[] = [];
  yield* sheetFiles(table, groups, all, { clock, cut, sums, sheetRows });
  const sheets = [...all];
  for (const side of (await table.beside?.()) ?? []) {
    yield* sheetFiles(side, only(side.rows), all, { clock, cut, sums: null, sheetRows });
  }
  const names = ['Summary', ...all.map(({ name }) => name)];
  yield file('xl/worksheets/sheet1.xml', summarySheet({ table, sheets, cut, sums, clock, timeZone }));
  yield file('xl/styles.xml', stylesXml);
  yield file('xl/workbook.xml', workbookXml(names, all.map(filterRange)));
  yield file('xl/_rels/workbook.xml.rels', workbookRels(names.length));
  yield file('_rels/.rels', packageRels);
  yield file('[Content_Types].xml', contentTypes(names.length));
}

/** Rows on as many sheets as they need, which are added to `all`. */
async function* sheetFiles(
  { title, columns }: Pick<ExportTable, 'title' | 'columns'>,
  groups: Groups,
  all: DataSheet[],
  context: SheetContext,
): AsyncGenerator<ZipFile> {
  const rows = new RowSource(groups);
  try {
    for (let number = 1; number === 1 || !(await rows.isEmpty()); number += 1) {
      const sheet: DataSheet = { name: number === 1 ? title : `${title} ${number}`, columns, lastRow: 1 };
      all.push(sheet);
      // The summary is the first sheet that people see, and the last that is written.
      yield { path: `xl/worksheets/sheet${all.length + 1}.xml`, content: sheetXml(rows, sheet, context) };
    }
  } finally {
    await rows.end();
  }
}

const file = (path: string, text: string): ZipFile => ({
  path,
  content: (async function* () {
    yield text;
  })(),
});

async function* only(rows: readonly (readonly ExportCell[])[]): Groups {
  yield rows;
}

const filterRange = ({ columns, lastRow }: DataSheet): string =>
  `$A$1:$${columnLetters(columns.length - 1)}$${lastRow}`;

/** Groups of rows that can be taken in parts. */
class RowSource {
  readonly #groups: AsyncIterator<readonly (readonly ExportCell[])[]>;
  #held: readonly (readonly ExportCell[])[] = [];

  constructor(groups: Groups) {
    this.#groups = groups[Symbol.asyncIterator]();
  }

  async take(most: number): Promise<readonly (readonly ExportCell[])[]> {
    if (await this.isEmpty()) return [];
    const taken = this.#held.slice(0, most);
    this.#held = this.#held.slice(most);
    return taken;
  }

  async isEmpty(): Promise<boolean> {
    while (this.#held.length === 0) {
      const next = await this.#groups.next();
      if (next.done === true) return true;
      this.#held = next.value;
    }
    return false;
  }

  async end(): Promise<void> {
    await this.#groups.return?.();
  }
}

interface SheetContext {
  clock: ZoneClock;
  cut: CutCount;
  sums: MonthlySums | null;
  sheetRows: number;
}

async function* sheetXml(
  rows: RowSource,
  sheet: DataSheet,
  { clock, cut, sums, sheetRows }: SheetContext,
): AsyncGenerator<string> {
  const { columns } = sheet;
  yield `${sheetHead(columns)}<row>${columns.map(({ name }) => textCell(name, styles.head)).join('')}</row>`;
  let text = '';
  for (;;) {
    const group = await rows.take(Math.min(200, sheetRows - sheet.lastRow));
    if (group.length === 0) break;
    for (const row of group) {
      sums?.add(row);
      text += '<row>';
      for (let index = 0; index < columns.length; index += 1) {
        text += cellXml(row[index] ?? null, columns[index]?.type ?? 'text', clock, cut);
      }
      text += '</row>';
      sheet.lastRow += 1;
      if (text.length < pieceLength) continue;
      yield text;
      text = '';
    }
    if (sheet.lastRow >= sheetRows) break;
  }
  yield `${text}</sheetData><autoFilter ref="${filterRange(sheet).replaceAll('$', '')}"/></worksheet>`;
}

function sheetHead(columns: readonly ExportColumn[]): string {
  const widths = columns.map(({ name, type }, index) => {
    const width = Math.max(name.length + 4, { moment: 20, text: 22 }[type as string] ?? 14);
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  });
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews>' +
    '<sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
    `</sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`
  );
}
