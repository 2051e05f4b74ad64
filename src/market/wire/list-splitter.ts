import { type BodySink, BodyTooLargeError, maxHeldBytes, maxRecords } from './response-body.ts';
import { decodeText } from './text-from-outside.ts';

/** Receives the elements of a list while the response arrives. */
export interface ListReader {
  /** The field of the response's object that has the list. */
  key: string;
  /** Called before the first element of a list. Earlier lists of the response then no longer count. */
  onList: () => void;
  /** Receives the parsed elements in order, with their bytes. */
  take: (element: unknown, bytes: Buffer) => void;
  /** Maximum size of one element, and of everything else together; more is a BodyTooLargeError. @default 16 MB */
  maxBytes?: number | undefined;
  /** Parses an element. @default JSON.parse */
  parse?: ((text: string) => unknown) | undefined;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const space = 0x20;
/** Depth of the response object's fields, and of a list's elements there. */
const objectDepth = 1;
const listDepth = 2;

/**
 * Passes the elements of a list in the outermost object to `reader` as soon as each is complete, so that a large
 * response is never held whole. Splits only by brackets, commas and strings; invalid JSON shows when an element, or in
 * the end the rest, is parsed.
 */
export function createListSplitter(reader: ListReader): BodySink {
  const key = Buffer.from(reader.key);
  const { maxBytes = maxHeldBytes, parse = (text) => JSON.parse(text) as unknown } = reader;
  let lists = 0;
  const rest: Buffer[] = [];
  let restBytes = 0;
  let begunBytes = 0;
  /** The start of an element from earlier chunks. */
  let begun: Buffer[] = [];
  let depth = 0;
  let inString = false;
  let escaped = false;
  let inList = false;
  let elements = 0;
  let intact = true;
  let replaced = 0;
  /** How much of `"key":` has been read in the outermost object. */
  let read: 'nothing' | 'key' | 'colon' = 'nothing';
  /** The bytes of the current string, as many as needed to tell it from the key. */
  let name: number[] = [];

  function endElement(bytes: Buffer, isLast: boolean): void {
    const whole = joined([...begun, bytes]);
    begun = [];
    begunBytes = 0;
    if (isLast && elements === 0 && whole.every((byte) => blanks.has(byte))) return;
    elements += 1;
    const text = decodeText(whole);
    replaced += text.replaced;
    try {
      reader.take(parse(text.value), whole);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      intact = false;
    }
  }

  function beginList(): void {
    inList = true;
    elements = 0;
    replaced = 0;
    lists += 1;
    if (lists > maxLists) throw new BodyTooLargeError(`${maxLists} lists of one name`);
    reader.onList();
  }

  /** Keeps bytes until their element is complete. */
  function keep(bytes: Buffer): void {
    // A copy, because a few bytes of a chunk would keep all of it in memory.
    (inList ? begun : rest).push(bytes.length < maxKeptSlice ? Buffer.from(bytes) : bytes);
    if (inList) begunBytes += bytes.length;
    else restBytes += bytes.length;
    if (Math.max(begunBytes, restBytes) > maxBytes)
      throw new BodyTooLargeError(`${maxBytes / 1024 / 1024} MB that are not a list, or in one record`);
  }

  reader.onList();
  return {
    push(chunk) {
      // Bytes before it have been passed on.
      let start = 0;
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at] as number;
        if (inString) {
          if (escaped) escaped = false;
          else if (byte === backslash) escaped = true;
          else if (byte === quote) {
            inString = false;
            if (depth === objectDepth) read = key.equals(Uint8Array.from(name)) ? 'key' : 'nothing';
            continue;
          }
          if (depth === objectDepth && name.length <= key.length) name.push(byte);
        } else if (byte === quote) {
          inString = true;
          name = [];
        } else if (byte === openBrace || byte === openBracket) {
          depth += 1;
          if (depth === listDepth && byte === openBracket && read === 'colon') {
            keep(chunk.subarray(start, at + 1));
            start = at + 1;
            beginList();
          }
          read = 'nothing';
        } else if (byte === closeBrace || byte === closeBracket) {
          if (inList && depth === listDepth) {
            endElement(chunk.subarray(start, at), true);
            start = at;
            inList = false;
          }
          depth -= 1;
        } else if (depth === objectDepth) {
          if (byte === colon && read === 'key') read = 'colon';
          else if (byte > space) read = 'nothing';
        } else if (byte === comma && inList && depth === listDepth) {
          endElement(chunk.subarray(start, at), false);
          start = at + 1;
        }
      }
      keep(chunk.subarray(start));
    },
    end: () => ({ rest: joined([...rest, ...begun]), intact, replaced }),
  };
}

const maxKeptSlice = 16 * 1024;
/** JSON allows repeated names; the last one counts. */
const maxLists = 16;

/** Whitespace between JSON tokens. */
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

const joined = (parts: readonly Buffer[]): Buffer => (parts.length === 1 && parts[0]) || Buffer.concat(parts);

/** Keeps a body whole like `createWholeBody`, but parses the records of a list in it as they come. */
export function createListCollector(key: string, parse: (text: string) => unknown): BodySink {
  let elements: unknown[] = [];
  const splitter = createListSplitter({
    key,
    parse,
    onList: () => {
      elements = [];
    },
    take: (element) => {
      if (elements.length >= maxRecords) throw new BodyTooLargeError(`${maxRecords} records`);
      elements.push(element);
    },
  });
  return { push: splitter.push, end: () => ({ ...splitter.end(), kept: { key, elements } }) };
}
