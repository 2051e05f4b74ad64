import { cutText } from '../../core/cut-text.ts';
import { type ExportCell, isoMoment, isTrue } from '../export-cell.ts';
import type { ColumnType } from '../export-column.ts';
import type { ZoneClock } from '../zone-clock.ts';

/** Text that a cell can hold. */
const maxCharacters = 32_767;
/** 1970-01-01 as spreadsheets count days. */
const epochDay = 25_569;
const dayMs = 86_400_000;

/** Number of a style in the workbook's styles. */
export const styles = { plain: 0, bold: 1, moment: 2, usd: 3, date: 4, boldUsd: 5 } as const;

/** What was changed so that it fits a workbook. */
export interface CutCount {
  cells: number;
}

/** A cell's XML. Text is text, whatever it looks like: nothing of it is ever run. */
export function cellXml(cell: ExportCell, type: ColumnType, clock: ZoneClock, cut: CutCount): string {
  if (cell === null) return '<c/>';
  switch (type) {
    case 'text':
      return textCell(shorten(cell, cut));
    case 'moment':
      return momentCell(new Date(isoMoment(cell)), clock);
    case 'boolean':
      return `<c t="b"><v>${isTrue(cell) ? 1 : 0}</v></c>`;
    case 'usd':
      return numberCell(cell, styles.usd);
    case 'decimal':
    case 'number':
    case 'integer':
      return numberCell(cell);
  }
}

/** A number; exact decimals keep their digits in the file. */
export const numberCell = (value: string | number, style: number = styles.plain): string =>
  `<c s="${style}"><v>${value}</v></c>`;

/** A moment by the zone's clocks, to the millisecond. */
const momentCell = (at: Date, clock: ZoneClock): string =>
  numberCell(dayNumber(at.getTime() + clock.offsetMs(at)), styles.moment);

/** Days since 1900 of a time in milliseconds. */
export const dayNumber = (ms: number): number => Number((ms / dayMs + epochDay).toFixed(11));

/** A cell of text. */
export const textCell = (text: string, style: number = styles.plain): string =>
  `<c t="inlineStr"${style === 0 ? '' : ` s="${style}"`}><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`;

function shorten(text: string, cut: CutCount): string {
  if (text.length <= maxCharacters) return text;
  cut.cells += 1;
  return `${cutText(text, maxCharacters - 1)}…`;
}

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const plain = /^[ !#-%'-;=?-^`-~\u00A0-\uD7FF]*$/;
// What XML cannot hold is written as _xHHHH_, and so what looks like that has to be as well.
const special = /[&<>]|[^\P{Cc}\t\n]|[\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/gu;

/** Text for XML as workbooks have it. */
export function escapeText(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(
    special,
    (found) => marks[found] ?? `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
}

/** A column's letters from its index: 0 is A. */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26) - 1;
  return `${rest < 0 ? '' : columnLetters(rest)}${String.fromCharCode(65 + (index % 26))}`;
}

/** A range of a sheet within a formula or a name. */
export const rangeReference = (sheet: string, range: string): string =>
  `${escapeText(`'${sheet.replaceAll("'", "''")}'`)}!${range}`;
