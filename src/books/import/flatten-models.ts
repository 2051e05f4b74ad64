import { notABook } from '../../core/recorded-book.ts';
import { modelsName } from './recorded-format.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openers = new Set([0x5b, 0x7b]);
const closers = new Set([0x5d, 0x7d]);
const [openBracket, closeBracket] = [0x5b, 0x5d];
const space = 0x20;

/** Depth of the fields of the answer, of what the models are in, and of a model's records. */
const [answerDepth, modelsDepth, listDepth] = [1, 2, 3];

/**
 * Yields a search response with its lists by model as one list under the same name: `{"offers_by_model": {"A": [1], "B":
 * [2]}}` and `{"offers_by_model": [[1], [2]]}` become `{"offers_by_model": [1,2]}`. Nothing is parsed. Throws UserError,
 * with `name`, for a model that is not a list.
 */
export async function* flattenModels(name: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  /** The string that is read in the answer, and the last one there; a field's name when a colon follows it. */
  let text = '';
  let isKey = false;
  let inModels = false;
  let hasRecords = false;
  /** Whether the list that is read has a record already. */
  let hasBegun = false;

  /** Returns the byte in place of one of the models, or null for none. */
  function ofModels(byte: number): number | null {
    if (depth === modelsDepth && !inString) {
      if (byte <= space || byte === comma || byte === colon || byte === quote || byte === openBracket)
        return null;
      if (!closers.has(byte)) throw notABook(name, `\`${modelsName}\` contains something that is not a list`);
      return closeBracket;
    }
    if (depth === modelsDepth) return null;
    return depth === listDepth && !inString && byte === closeBracket ? null : byte;
  }

  function flat(chunk: Buffer): Buffer {
    // At most a comma more for each byte.
    const out = Buffer.allocUnsafe(2 * chunk.length);
    let length = 0;
    for (const byte of chunk) {
      if (inModels && depth === listDepth && !hasBegun && byte > space && byte !== closeBracket) {
        if (hasRecords) length = out.writeUInt8(comma, length);
        hasRecords = true;
        hasBegun = true;
      }
      const kept = inModels ? ofModels(byte) : byte;
      const opensModels = !inModels && isKey && depth === answerDepth && openers.has(byte);
      if (kept !== null) length = out.writeUInt8(opensModels ? openBracket : kept, length);
      step(byte, opensModels);
    }
    return out.subarray(0, length);
  }

  function step(byte: number, opensModels: boolean): void {
    if (inString) {
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) inString = false;
      if (inString && depth === answerDepth && text.length <= modelsName.length)
        text += String.fromCharCode(byte);
    } else if (byte === quote) {
      inString = true;
      text = '';
    } else if (openers.has(byte)) {
      depth += 1;
      inModels ||= opensModels;
      isKey = false;
      if (depth === listDepth) hasBegun = false;
    } else if (closers.has(byte)) {
      depth -= 1;
      if (depth === answerDepth) inModels = false;
    } else if (byte === colon) isKey = depth === answerDepth && text === modelsName;
    else if (byte > space) isKey = false;
  }

  for await (const chunk of chunks) yield flat(chunk);
}
