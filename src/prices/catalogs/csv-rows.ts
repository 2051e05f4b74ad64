/** A row of a CSV file, and its first line from 1. */
export interface CsvRow {
  line: number;
  fields: string[];
}

/** Returns the rows of CSV text (RFC 4180) without blank ones; null: an unclosed quote. */
export function readCsvRows(text: string): CsvRow[] | null {
  const rows: CsvRow[] = [];
  let [fields, field, line, begun]: [string[], string, number, number] = [[], '', 1, 1];
  let isQuoted = false;
  const endRow = (): void => {
    if (fields.length > 0 || field !== '') rows.push({ line: begun, fields: [...fields, field] });
    [fields, field, begun] = [[], '', line + 1];
  };
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length; at += 1) {
    const char = text[at];
    if (isQuoted && char === '"' && text[at + 1] === '"') {
      field += '"';
      at += 1;
    } else if (char === '"' && (isQuoted || field === '')) isQuoted = !isQuoted;
    else if (char === ',' && !isQuoted) {
      fields.push(field);
      field = '';
    } else if (char === '\n' && !isQuoted) endRow();
    else if (char !== '\r' || isQuoted) field += char;
    if (char === '\n') line += 1;
  }
  if (isQuoted) return null;
  endRow();
  return rows;
}
