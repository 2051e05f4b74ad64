import { type CsvDialect, type ExportColumn, formulaStarts } from './export-column.ts';

const byteOf = (character: string): number => character.charCodeAt(0);
const [quote, apostrophe, space, plus, point, comma] = [
  ...[byteOf('"'), byteOf("'"), byteOf(' '), byteOf('+'), byteOf('.'), byteOf(',')],
] as const;
const [lineFeed, carriageReturn, letterT, letterZ] = [
  ...[byteOf('\n'), byteOf('\r'), byteOf('T'), byteOf('Z')],
] as const;

/** What is done to a cell's bytes. */
const work = { none: 0, disarm: 1, moment: 2, decimal: 3 } as const;

/** By the byte that a formula may begin with, the bytes that then follow it: several of a full-width twin. */
const followers = new Map<number, Buffer[]>();
for (const start of formulaStarts) {
  const bytes = Buffer.from(start);
  const [first = 0] = bytes;
  followers.set(first, [...(followers.get(first) ?? []), bytes.subarray(1)]);
}
const mayBegin = Uint8Array.from({ length: 256 }, (_, byte) => (followers.has(byte) ? 1 : 0));

/**
 * Makes the CSV lines that the database writes (`csv-text.ts`) those of the file: lines end in CRLF, text that begins like
 * a formula has an apostrophe before it, moments of UTC are written like `2026-11-22T09:00:00Z`, decimals with the
 * dialect's sign. Byte by byte as they pass, since SQL would take longer for it than for all the rest.
 */
export async function* finishCsv(
  pieces: AsyncIterable<Buffer>,
  columns: readonly ExportColumn[],
  dialect: CsvDialect,
): AsyncGenerator<Buffer> {
  const finish = createFinisher(columns, dialect);
  let held: Buffer | null = null;
  for await (const piece of pieces) {
    const given: Buffer = held === null ? piece : Buffer.concat([held, piece]);
    const { out, rest } = finish(given, false);
    held = rest;
    yield out;
  }
  if (held !== null) yield finish(held, true).out;
}

/** Finishes one piece after the other; `rest` has to come before the next, null: nothing is left. */
type Finish = (piece: Buffer, isLast: boolean) => { out: Buffer; rest: Buffer | null };

function createFinisher(columns: readonly ExportColumn[], dialect: CsvDialect): Finish {
  const works = Uint8Array.from(columns, ({ type }) => workOf(type, dialect));
  const delimiter = byteOf(dialect.delimiter);
  const [plain, moments, decimals] = [[], [space, plus], [point]].map((more) =>
    stopsAt(delimiter, lineFeed, quote, ...more),
  ) as [Uint8Array, Uint8Array, Uint8Array];
  const stopsOf = [plain, plain, moments, decimals];
  let draft = Buffer.alloc(0);
  const state = { column: 0, quoted: false, fresh: true, skip: 0 };
  return (piece, isLast) => {
    if (draft.length < piece.length * 2) draft = Buffer.alloc(piece.length * 2);
    // Of this function alone while it runs: it goes over every byte.
    const out = draft;
    const end = piece.length;
    let { column, quoted, fresh } = state;
    let doing = works[column] ?? work.none;
    let stops = stopsOf[doing] ?? plain;
    let [index, at] = [Math.min(state.skip, end), 0];
    let skip = state.skip - index;
    let rest: Buffer | null = null;
    while (index < end) {
      const byte = piece[index] as number;
      // Of the cell nothing has come yet, or only the quote before it.
      if (fresh && doing === work.disarm && mayBegin[byte] === 1) {
        const begins = beginsFormula(piece, index);
        if (begins === null && !isLast) {
          // The rest of its first character is in the next piece.
          rest = piece.subarray(index);
          break;
        }
        if (begins === true) out[at++] = apostrophe;
        fresh = false;
      }
      index += 1;
      if (quoted) {
        quoted = byte !== quote;
        fresh = false;
        out[at++] = byte;
      } else if (byte === quote) {
        quoted = true;
        out[at++] = byte;
      } else if (byte === delimiter || byte === lineFeed) {
        if (byte === lineFeed) out[at++] = carriageReturn;
        out[at++] = byte;
        column = byte === lineFeed ? 0 : column + 1;
        doing = works[column] ?? work.none;
        stops = stopsOf[doing] ?? plain;
        fresh = true;
      } else {
        fresh = false;
        if (stops[byte] === 0) out[at++] = byte;
        else if (byte === space) out[at++] = letterT;
        else if (byte === point) out[at++] = comma;
        else {
          // `+00`: the database's session is of UTC.
          out[at++] = letterZ;
          const left = Math.min(2, end - index);
          index += left;
          skip = 2 - left;
        }
        for (; index < end; index += 1) {
          const next = piece[index] as number;
          if (stops[next] === 1) break;
          out[at++] = next;
        }
      }
    }
    Object.assign(state, { column, quoted, fresh, skip });
    return { out: Buffer.from(out.subarray(0, at)), rest };
  };
}

/** 1 for each of these bytes. */
function stopsAt(...bytes: number[]): Uint8Array {
  const stops = new Uint8Array(256);
  for (const byte of bytes) stops[byte] = 1;
  return stops;
}

/** Whether what begins at `index` is the beginning of a formula; null: the piece ends before that can be said. */
function beginsFormula(piece: Buffer, index: number): boolean | null {
  const rests = followers.get(piece[index] as number) ?? [];
  if (rests.some((rest) => rest.equals(piece.subarray(index + 1, index + 1 + rest.length)))) return true;
  return rests.some((rest) => index + rest.length >= piece.length) ? null : false;
}

function workOf(type: ExportColumn['type'], { decimal, moments, timeZone }: CsvDialect): number {
  switch (type) {
    case 'text':
      return work.disarm;
    case 'moment':
      return moments === 'exact' && timeZone === 'UTC' ? work.moment : work.none;
    case 'usd':
    case 'decimal':
    case 'number':
      return decimal === ',' ? work.decimal : work.none;
    case 'integer':
    case 'boolean':
      return work.none;
  }
}
