import { escapeText } from './cells.ts';

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Formats by the numbers of `styles` in cells.ts. */
export const stylesXml =
  `${xml}<styleSheet xmlns="${main}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>` +
  '<numFmt numFmtId="165" formatCode="[$$-409]#,##0.00##########"/><numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd"/>' +
  '</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/>' +
  '<name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill>' +
  '<patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/>' +
  '<diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>' +
  `</cellStyleXfs><cellXfs count="8">${[
    [0, 0],
    [0, 1],
    [164, 0],
    [165, 0],
    [0, 0],
    [166, 0],
    [0, 1],
    [165, 1],
  ]
    .map(
      ([format, font]) =>
        `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`,
    )
    .join('')}</cellXfs></styleSheet>`;

/** The workbook with its sheets in the order in which they are shown, and the filters of all but the first. */
export function workbookXml(names: readonly string[], filters: readonly string[]): string {
  const sheets = names.map(
    (name, index) => `<sheet name="${attribute(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  const defined = filters.map(
    (range, index) =>
      `<definedName name="_xlnm._FilterDatabase" localSheetId="${index + 1}" hidden="1">` +
      `${escapeText(`'${(names[index + 1] ?? '').replaceAll("'", "''")}'!${range}`)}</definedName>`,
  );
  return (
    `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${sheets.join('')}</sheets>` +
    `<definedNames>${defined.join('')}</definedNames></workbook>`
  );
}

/** Where the parts of a workbook of so many sheets lie. */
export function workbookRels(sheets: number): string {
  const relations = Array.from(
    { length: sheets },
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${office}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  return (
    `${xml}<Relationships xmlns="${packages}/relationships">${relations.join('')}` +
    `<Relationship Id="rId${sheets + 1}" Type="${office}/styles" Target="styles.xml"/></Relationships>`
  );
}

/** Where the workbook lies. */
export const packageRels =
  `${xml}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" ` +
  'Target="xl/workbook.xml"/></Relationships>';

/** What kind of file each part is. */
export function contentTypes(sheets: number): string {
  const parts = Array.from(
    { length: sheets },
    (_, index) =>
      `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${types}.worksheet+xml"/>`,
  );
  return (
    `${xml}<Types xmlns="${packages}/content-types"><Default Extension="rels" ` +
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ' +
    `ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/>${parts.join('')}</Types>`
  );
}

const attribute = (text: string): string => escapeText(text).replaceAll('"', '&quot;');
