import { isUtf8 } from 'node:buffer';
import { isRecord, notABook, type RecordedFormat } from '../../core/recorded-book.ts';
import { createListSplitter } from '../../market/wire/list-splitter.ts';
import { BodyTooLargeError } from '../../market/wire/response-body.ts';
import { flattenModels } from './flatten-models.ts';
import { findFormat, modelsName } from './recorded-format.ts';

/** One record of a recorded file, as bytes and parsed. */
export interface FoundRecord {
  bytes: Buffer;
  row: Record<string, unknown>;
  /** Line number from 1 in JSON lines; index in a search response. */
  line: number;
}

/** What a file turned out to be. `answer`: the other fields of a search response; null: JSON lines. */
export interface FileEnd {
  format: RecordedFormat;
  answer: Record<string, unknown> | null;
}

/** Maximum size of a record, a line or the fields beside a list; recorded ones have 3 to 8 KB. */
const maxRecordBytes = 4 * 1024 * 1024;

type Take = (record: FoundRecord, format: RecordedFormat) => Promise<void>;

/**
 * Passes the records of a file to `take` while it is read. Throws UserError, with `name` and what is expected, for
 * anything that is not a book, and for a record of more than `maxRecordBytes`.
 */
export async function readRecords(name: string, chunks: AsyncIterable<Buffer>, take: Take): Promise<FileEnd> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const { format, begin } = await readStart(name, iterator);
    const all = async function* (): AsyncGenerator<Buffer> {
      yield begin;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    };
    if (format === 'lines') return await readLines(name, all(), take);
    return format === 'models'
      ? await readSearch(name, modelsName, flattenModels(name, all()), take)
      : await readSearch(name, 'offers', all(), take);
  } finally {
    await iterator.return?.(undefined);
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Reads until the format is known. */
async function readStart(
  name: string,
  iterator: AsyncIterator<Buffer>,
): Promise<{ format: Exclude<ReturnType<typeof findFormat>, 'empty' | null>; begin: Buffer }> {
  let begin: Buffer = Buffer.alloc(0);
  for (;;) {
    const next = await iterator.next();
    if (!next.done) begin = Buffer.concat([begin, next.value]);
    const text = begin.subarray(0, 3).equals(byteOrderMark) ? begin.subarray(3) : begin;
    const format = findFormat(text, next.done === true);
    if (format === 'empty') throw notABook(name, 'the file is empty');
    if (format !== null) return { format, begin: text };
    if (begin.length > maxRecordBytes) throw tooLarge(name, 'its first record');
  }
}

async function readLines(name: string, chunks: AsyncIterable<Buffer>, take: Take): Promise<FileEnd> {
  let line = 0;
  let rest: Buffer[] = [];
  let restBytes = 0;
  const takeLine = async (bytes: Buffer): Promise<void> => {
    line += 1;
    const text = textOf(name, bytes).trim();
    if (text === '') return;
    const row = parse(text);
    if (!isRecord(row)) throw notABook(name, `line ${line} is not a JSON object`);
    await take({ bytes, row, line }, 'lines');
  };
  const add = async (chunk: Buffer): Promise<void> => {
    let from = 0;
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
      const end = chunk.subarray(from, at);
      await takeLine(rest.length === 0 ? end : Buffer.concat([...rest, end]));
      rest = [];
      restBytes = 0;
      from = at + 1;
    }
    rest.push(chunk.subarray(from));
    restBytes += chunk.length - from;
    if (restBytes > maxRecordBytes) throw tooLarge(name, `line ${line + 1}`);
  };
  for await (const chunk of chunks) await add(chunk);
  await takeLine(Buffer.concat(rest));
  return { format: 'lines', answer: null };
}

async function readSearch(
  name: string,
  key: string,
  chunks: AsyncIterable<Buffer>,
  take: Take,
): Promise<FileEnd> {
  let found: FoundRecord[] = [];
  let line = 0;
  const noRecord = () => notABook(name, `\`${key}\` contains something that is not a record`);
  const splitter = createListSplitter({
    key,
    maxBytes: maxRecordBytes,
    onList: () => {
      if (line > 0) throw notABook(name, `it has more than one list of \`${key}\``);
    },
    take: (row, bytes) => {
      if (!isRecord(row)) throw noRecord();
      if (!isUtf8(bytes)) throw notUtf8(name);
      line += 1;
      found.push({ bytes, row, line });
    },
  });
  const push = async (chunk: Buffer): Promise<void> => {
    try {
      splitter.push(chunk);
    } catch (error) {
      throw error instanceof BodyTooLargeError
        ? tooLarge(name, 'a record, or what stands beside them,')
        : error;
    }
    const records = found;
    found = [];
    for (const record of records) await take(record, 'search');
  };
  for await (const chunk of chunks) await push(chunk);
  const { rest, intact } = splitter.end();
  const answer = parse(textOf(name, rest));
  if (!intact || !isRecord(answer)) throw notABook(name, 'its JSON is broken or cut short; fetch it again');
  const offers = answer[key];
  // A single object counts as a list of one.
  if (isRecord(offers)) {
    const bytes = Buffer.from(JSON.stringify(offers));
    await take({ bytes, row: offers, line: 1 }, 'search');
  } else if (!Array.isArray(offers)) throw noRecord();
  return { format: 'search', answer };
}

function textOf(name: string, bytes: Buffer): string {
  if (!isUtf8(bytes)) throw notUtf8(name);
  return bytes.toString('utf8');
}

const notUtf8 = (name: string) => notABook(name, 'it is not UTF-8 text; fetch it again');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const tooLarge = (name: string, what: string) =>
  notABook(name, `${what} has more than ${maxRecordBytes / 1024 / 1024} MB; records have some KB`);
