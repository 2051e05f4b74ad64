import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One block of a wire file: what follows a line `--- name argument`. */
export interface WireBlock {
  name: string;
  argument: string;
  text: string;
}

/** One case of a wire file. A file with a table (`each`) has one per line, with the columns filled in. */
export interface WireCase {
  /** Folder and file name, and for a table the line's first cell: `server/filters[gpu_ram]`. */
  id: string;
  file: string;
  /** The lines `# key: value`; section and rows are required. */
  header: Readonly<Record<string, string>>;
  /** The section of docs/marketplace.md that the bytes are written from. */
  section: string;
  /** Ids of the contract's rows that the case tests. */
  rows: readonly string[];
  blocks: readonly WireBlock[];
}

/** All cases of a folder of wire files, by file name. Throws for an invalid file. */
export function readWireFolder(folder: URL, label: string): WireCase[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.http'))
    .sort();
  return names.flatMap((name) =>
    parseWireFile(readFileSync(join(folder.pathname, name), 'utf8'), `${label}/${name.slice(0, -5)}`),
  );
}

/**
 * The cases in the text of a wire file: header lines `# key: value`, for a table `# each: column | column` and
 * lines `# - cell | cell`, then blocks. `test/contract/wire/README.md` describes the form.
 */
export function parseWireFile(text: string, file: string): WireCase[] {
  const lines = text.split('\n');
  const headEnd = lines.findIndex((line) => !line.startsWith('#'));
  const head = lines.slice(0, headEnd);
  const header = Object.fromEntries(
    head.flatMap((line) => {
      const [, key, value] = /^# ([a-z]+): (.*)$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value.trim()]];
    }),
  ) as Record<string, string>;
  if (header.section === undefined || header.rows === undefined) {
    throw new Error(`${file}: a wire file begins with "# section:" and "# rows:"`);
  }
  const body = lines.slice(headEnd).join('\n');
  if (header.each === undefined) return [caseOf(file, file, header, body)];
  const columns = cellsOf(header.each);
  return head
    .filter((line) => line.startsWith('# - '))
    .map((line) => {
      const cells = cellsOf(line.slice(4));
      if (cells.length !== columns.length) throw new Error(`${file}: wrong number of cells: ${line}`);
      const fill = (template: string): string =>
        columns.reduce(
          (filled, column, index) => filled.replaceAll(`{{${column}}}`, cells[index] ?? ''),
          template,
        );
      const filled = Object.fromEntries(Object.entries(header).map(([key, value]) => [key, fill(value)]));
      return caseOf(`${file}[${cells[0]}]`, file, filled, fill(body));
    });
}

function caseOf(id: string, file: string, header: Record<string, string>, body: string): WireCase {
  const [before = '', ...parts] = `\n${body}`.split(/\n--- /);
  if (before.trim() !== '' || parts.length === 0)
    throw new Error(`${file}: text outside of blocks: ${before}`);
  const blocks = parts.map((part) => {
    const [first = '', ...rest] = part.split('\n');
    const [name = '', ...argument] = first.trim().split(' ');
    return { name, argument: argument.join(' '), text: rest.join('\n').replace(/\n+$/, '') };
  });
  const { section = '', rows = '' } = header;
  return { id, file, header, section, rows: rows.split(/\s+/).filter((row) => row !== ''), blocks };
}

const cellsOf = (text: string): string[] => text.split(' | ').map((cell) => cell.trim());
