import { headOf } from '../../core/column-heads.ts';
import { unitOf } from '../../core/column-units.ts';
import type { ExportColumn } from '../export-column.ts';
import { styles, textCell } from './cells.ts';
import { sheetEnd, sheetStart } from './parts.ts';

interface Described {
  /** Name of the sheet that has the columns. */
  sheet: string;
  columns: readonly ExportColumn[];
}

/** Returns the sheet that says what each column of the others is: its other name, its unit and its meaning. */
export function columnSheetXml(
  tables: readonly Described[],
  { keepsNames, timeZone }: { keepsNames: boolean; timeZone: string },
): string {
  const heads = ['Sheet', 'Column', keepsNames ? 'In words' : 'Its name in CSV and JSON', 'Unit', 'Meaning'];
  const rows = tables.flatMap(({ sheet, columns }) =>
    columns.map((column) => {
      const { name, note = '' } = column;
      const pair = keepsNames ? [name, headOf(name)] : [headOf(name), name];
      return [sheet, ...pair, unitWords(column, timeZone), note];
    }),
  );
  const cells = [
    heads.map((head) => textCell(head, styles.bold)),
    ...rows.map((row) => row.map((text) => (text === '' ? '<c/>' : textCell(text)))),
  ];
  const xml = cells.map((row) => `<row>${row.join('')}</row>`).join('');
  return sheetStart([16, 28, 30, 34, 90], { isFrozen: true }) + xml + sheetEnd(null);
}

function unitWords({ name, type }: ExportColumn, timeZone: string): string {
  if (type === 'moment') return `date and time, ${timeZone}`;
  if (type === 'boolean') return 'true or false';
  return type === 'usd' ? unitOf(name) || 'US dollars' : unitOf(name);
}
