import { isDollars, isShare } from '../../core/column-units.ts';
import { cutText } from '../../core/cut-text.ts';
import { type ExportCell, isoMoment, isTrue } from '../export-cell.ts';
import type { ExportColumn } from '../export-column.ts';
import type { ZoneClock } from '../zone-clock.ts';

/** Maximum length of the text in a cell. */
const maxCharacters = 32_767;
/** 1970-01-01 as a spreadsheet's day number. */
const epochDay = 25_569;
const dayMs = 86_400_000;

/** Number of a style in the workbook's list of styles. */
export const styles = {
  plain: 0,
  bold: 1,
  moment: 2,
  usd: 3,
  date: 4,
  boldUsd: 5,
  decimals: 6,
  share: 7,
} as const;

/** Counts of values that were changed to fit a workbook. */
export interface CutCount {
  cells: number;
}

/** Returns the XML of a cell. Text stays text, so no spreadsheet ever runs it as a formula. */
export function cellXml(
  cell: ExportCell,
  { type, name, sheetText }: ExportColumn,
  clock: ZoneClock,
  cut: CutCount,
): string {
  if (cell === null) return '<c/>';
  switch (type) {
    case 'text':
      return textCell(shorten(sheetText === undefined ? cell : sheetText(cell), cut));
    case 'moment':
      return momentCell(new Date(isoMoment(cell)), clock);
    case 'boolean':
      return `<c t="b"><v>${isTrue(cell) ? 1 : 0}</v></c>`;
    case 'usd':
      return numberCell(cell, styles.usd);
    case 'decimal':
    case 'number':
      return numberCell(cell, styleOf(name));
    case 'integer':
      return numberCell(cell);
  }
}

const styleOf = (name: string): number =>
  isDollars(name) ? styles.usd : isShare(name) ? styles.share : styles.decimals;

/** Writes a number; exact decimals keep their digits in the file. */
export const numberCell = (value: string | number, style: number = styles.plain): string =>
  `<c s="${style}"><v>${value}</v></c>`;

/** Writes a time as the zone's clocks show it, to the millisecond. */
const momentCell = (at: Date, clock: ZoneClock): string =>
  numberCell(dayNumber(at.getTime() + clock.offsetMs(at)), styles.moment);

/** Returns the day number since 1900 of a time in milliseconds. */
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
// Characters that XML cannot hold are written as _xHHHH_, so text that looks like that is escaped too.
const special = /[&<>]|[^\P{Cc}\t\n]|[\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/gu;

/** Returns text as XML the way workbooks write it. */
export function escapeText(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(
    special,
    (found) => marks[found] ?? `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
}

/** Returns the letters of a column from its index: 0 is A. */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26) - 1;
  return `${rest < 0 ? '' : columnLetters(rest)}${String.fromCharCode(65 + (index % 26))}`;
}

/** Returns the reference to a range of a sheet in a formula or a name. */
export const rangeReference = (sheet: string, range: string): string =>
  `${escapeText(`'${sheet.replaceAll("'", "''")}'`)}!${range}`;
