import { cutText } from '../../core/cut-text.ts';
import type { ColumnType, ExportCell } from '../export-column.ts';
import type { ZoneClock } from '../zone-clock.ts';

/** Text that a cell can hold. */
const mostCharacters = 32_767;
/** 1970-01-01 as spreadsheets count days. */
const epochDay = 25_569;
const dayMs = 86_400_000;

/** Number of a style in the workbook's styles. */
export const styles = {
  plain: 0,
  head: 1,
  moment: 2,
  usd: 3,
  number: 4,
  date: 5,
  bold: 6,
  boldUsd: 7,
} as const;

const styleOf: Record<ColumnType, number> = {
  ...{ text: styles.plain, usd: styles.usd, decimal: styles.number, number: styles.number },
  ...{ integer: styles.plain, moment: styles.moment, boolean: styles.plain },
};

/** What was changed so that it fits a workbook. */
export interface CutCount {
  cells: number;
}

/** A cell's XML; '' where nothing is known. Text is text, whatever it looks like: nothing of it is ever run. */
export function cellXml(value: ExportCell, type: ColumnType, clock: ZoneClock, cut: CutCount): string {
  if (value === null) return '<c/>';
  if (type === 'text') return textCell(shorten(String(value), cut));
  if (value instanceof Date) return numberCell(dayNumber(value, clock), styles.moment);
  if (type === 'boolean') return `<c t="b"><v>${value === true ? 1 : 0}</v></c>`;
  return numberCell(value, styleOf[type]);
}

/** A number; exact decimals keep their digits in the file. */
export const numberCell = (value: ExportCell, style: number): string => `<c s="${style}"><v>${value}</v></c>`;

/** A moment as days since 1900 by the zone's clocks, to the millisecond. */
export const dayNumber = (at: Date, clock: ZoneClock): number =>
  Number(((at.getTime() + clock.offsetMs(at)) / dayMs + epochDay).toFixed(11));

/** A cell of text. */
export const textCell = (text: string, style: number = styles.plain): string =>
  `<c t="inlineStr"${style === 0 ? '' : ` s="${style}"`}><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`;

function shorten(text: string, cut: CutCount): string {
  if (text.length <= mostCharacters) return text;
  cut.cells += 1;
  return `${cutText(text, mostCharacters - 1)}…`;
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

/** A sheet's name within a formula. */
export const sheetReference = (name: string): string => escapeText(`'${name.replaceAll("'", "''")}'`);
