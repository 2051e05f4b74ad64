import { escapeText, rangeReference } from './cells.ts';
import type { AddFile } from './zip.ts';

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** A sheet as the workbook lists it. */
export interface ListedSheet {
  name: string;
  path: string;
  /** The range with filters, like `$A$1:$C$9`; null: none. */
  filters: string | null;
}

/** Returns a sheet's XML before its first row: the column widths, and whether the first row stays visible. */
export function sheetStart(widths: readonly number[], { isFrozen }: { isFrozen: boolean }): string {
  const cols = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  const view =
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" ' +
    'state="frozen"/></sheetView></sheetViews>';
  return `${xml}<worksheet xmlns="${main}">${isFrozen ? view : ''}<cols>${cols.join('')}</cols><sheetData>`;
}

/** Returns a sheet's XML after its last row. */
export const sheetEnd = (filters: string | null): string =>
  `</sheetData>${filters === null ? '' : `<autoFilter ref="${filters.replaceAll('$', '')}"/>`}</worksheet>`;

/** Formats and fonts by the numbers of `styles` in cells.ts: number format, font. */
const cellFormats = [
  [0, 0],
  [0, 1],
  [164, 0],
  [165, 0],
  [166, 0],
  [165, 1],
  [167, 0],
  // Percent with two decimals, of every workbook.
  [10, 0],
].map(
  ([format, font]) =>
    `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`,
);
const stylesXml =
  `${xml}<styleSheet xmlns="${main}"><numFmts count="4"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>` +
  '<numFmt numFmtId="165" formatCode="[$$-409]#,##0.00##"/><numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd"/>' +
  '<numFmt numFmtId="167" formatCode="#,##0.00##"/>' +
  '</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/>' +
  '<name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill>' +
  '<patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/>' +
  '<diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>' +
  `</cellStyleXfs><cellXfs count="${cellFormats.length}">${cellFormats.join('')}</cellXfs></styleSheet>`;

/** Adds all parts of a workbook besides its sheets, which are shown in the given order. */
export async function addParts(add: AddFile, sheets: readonly ListedSheet[]): Promise<void> {
  const listed = sheets.map(
    ({ name }, index) =>
      `<sheet name="${escapeText(name).replaceAll('"', '&quot;')}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  const filters = sheets.flatMap(({ name, filters: range }, index) =>
    range === null
      ? []
      : `<definedName name="_xlnm._FilterDatabase" localSheetId="${index}" hidden="1">` +
        `${rangeReference(name, range)}</definedName>`,
  );
  const targets = [...sheets.map(({ path }) => ['worksheet', path]), ['styles', 'styles.xml']].map(
    ([type, path], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${path}"/>`,
  );
  const kinds = sheets.map(
    ({ path }) => `<Override PartName="/xl/${path}" ContentType="${types}.worksheet+xml"/>`,
  );
  await add('xl/styles.xml', [stylesXml]);
  await add('xl/workbook.xml', [
    `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${listed.join('')}</sheets>` +
      `<definedNames>${filters.join('')}</definedNames></workbook>`,
  ]);
  await add('xl/_rels/workbook.xml.rels', [
    `${xml}<Relationships xmlns="${packages}/relationships">${targets.join('')}</Relationships>`,
  ]);
  await add('_rels/.rels', [
    `${xml}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" ` +
      `Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ]);
  await add('[Content_Types].xml', [
    `${xml}<Types xmlns="${packages}/content-types"><Default Extension="rels" ` +
      'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ' +
      `ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/>${kinds.join('')}</Types>`,
  ]);
}
