import type { RecordedFormat } from '../../core/recorded-book.ts';

const openers = new Set([0x5b, 0x7b]);
const closers = new Set([0x5d, 0x7d]);
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d]);
const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/** The field of a search response that has its records by model: a map or a list of lists. */
export const modelsName = 'offers_by_model';

/**
 * Returns the format of a file with this beginning: a search response has `offers` in its outermost object, or
 * `offers_by_model` (`models`), which in JSON lines ends before. null: more bytes are needed.
 */
export function findFormat(begin: Buffer, isAll: boolean): RecordedFormat | 'models' | 'empty' | null {
  let depth = 0;
  let name: string | null = null;
  for (let at = 0; at < begin.length; at += 1) {
    const byte = begin[at] as number;
    if (byte === quote) {
      const end = endOfString(begin, at);
      if (end === null) break;
      name = depth === 1 ? begin.toString('latin1', at + 1, end) : null;
      at = end;
    } else if (byte === colon && name === 'offers') return 'search';
    else if (byte === colon && name === modelsName) return 'models';
    else if (!blanks.has(byte)) {
      name = null;
      if (depth === 0 && byte !== 0x7b) return 'lines';
      if (openers.has(byte)) depth += 1;
      else if (closers.has(byte)) depth -= 1;
      if (depth === 0) return 'lines';
    }
  }
  if (!isAll) return null;
  return begin.every((byte) => blanks.has(byte)) ? 'empty' : 'lines';
}

/** Returns the end of the string that begins at `at`; null: it is not in these bytes. */
function endOfString(bytes: Buffer, at: number): number | null {
  for (let end = at + 1; end < bytes.length; end += 1) {
    if (bytes[end] === backslash) end += 1;
    else if (bytes[end] === quote) return end;
  }
  return null;
}
