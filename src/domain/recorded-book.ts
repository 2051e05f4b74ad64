import { gunzipSync } from 'node:zlib';
import { UserError } from './errors.ts';
import { type PricingType, pricingTypes } from './offer.ts';

/** All records of one moment and pricing type that a file holds, as delivered. */
export interface RecordedBook {
  observedAt: Date;
  type: PricingType;
  /** `search`: an answer `{offers: […]}`; `lines`: JSON lines with `scraped_at` and `rental_type`. */
  format: 'search' | 'lines';
  records: Record<string, unknown>[];
}

interface ReadOptions {
  /** Moment of a search response that does not carry `collected_utc`. */
  observedAt?: Date | undefined;
}

const gzipMagic = [0x1f, 0x8b];

/**
 * The books of one recorded file, plain or gzipped, by (observedAt, type).
 * Throws UserError, naming `name` and what is expected, for anything that is not a book.
 */
export function readRecordedBooks(
  name: string,
  bytes: Uint8Array,
  options: ReadOptions = {},
): RecordedBook[] {
  const text = decode(name, bytes);
  const trimmed = text.trimStart();
  if (trimmed === '') throw notABook(name, 'the file is empty');
  const whole = parseWhole(trimmed);
  const books =
    whole !== null && 'offers' in whole ? readSearch(name, whole, options) : readLines(name, trimmed);
  if (books.length === 0) throw notABook(name, 'it holds no offers');
  return books;
}

function decode(name: string, bytes: Uint8Array): string {
  const zipped = bytes[0] === gzipMagic[0] && bytes[1] === gzipMagic[1];
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(zipped ? gunzipSync(bytes) : bytes);
  } catch (cause) {
    const problem = zipped ? 'its gzip data is corrupt or cut short' : 'it is not UTF-8 text';
    throw notABook(name, `${problem}; fetch it again`, cause);
  }
}

function parseWhole(text: string): Record<string, unknown> | null {
  if (!text.startsWith('{')) return null;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

function readSearch(name: string, answer: Record<string, unknown>, options: ReadOptions): RecordedBook[] {
  const { offers, collected_utc: collected } = answer;
  const records = Array.isArray(offers) ? offers : [offers];
  if (records.some((row) => !isRecord(row)))
    throw notABook(name, '`offers` holds something that is no record');
  const observedAt = typeof collected === 'string' ? readInstant(name, collected) : options.observedAt;
  if (observedAt === undefined) {
    throw notABook(name, 'it has no `collected_utc`; say when it was recorded with --observed-at');
  }
  const typeOf = (row: Record<string, unknown>): PricingType => (row.is_bid === true ? 'bid' : 'on-demand');
  return group(records as Record<string, unknown>[], 'search', (row) => ({ observedAt, type: typeOf(row) }));
}

function readLines(name: string, text: string): RecordedBook[] {
  const records = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const row = parseWhole(line.trim());
    if (row === null) throw notABook(name, `line ${index + 1} is not a JSON object`);
    return [{ row, line: index + 1 }];
  });
  const keys = new Map(
    records.map(({ row, line }) => {
      const { scraped_at: scrapedAt, rental_type: rentalType } = row;
      if (typeof scrapedAt !== 'string' || typeof rentalType !== 'string') {
        throw notABook(name, `line ${line} lacks \`scraped_at\` or \`rental_type\``);
      }
      const type = rentalType === 'ondemand' ? 'on-demand' : rentalType;
      if (!isPricingType(type)) {
        throw notABook(
          name,
          `line ${line}: \`rental_type\` is ${JSON.stringify(rentalType)}, not a pricing type`,
        );
      }
      return [row, { observedAt: readInstant(name, scrapedAt), type }] as const;
    }),
  );
  return group([...keys.keys()], 'lines', (row) => keys.get(row) as { observedAt: Date; type: PricingType });
}

function group(
  rows: Record<string, unknown>[],
  format: RecordedBook['format'],
  keyOf: (row: Record<string, unknown>) => { observedAt: Date; type: PricingType },
): RecordedBook[] {
  const books = new Map<string, RecordedBook>();
  for (const row of rows) {
    const { observedAt, type } = keyOf(row);
    const key = `${observedAt.toISOString()} ${type}`;
    const book = books.get(key) ?? { observedAt, type, format, records: [] };
    book.records.push(row);
    books.set(key, book);
  }
  return [...books.values()].sort((a, b) => a.observedAt.getTime() - b.observedAt.getTime());
}

function readInstant(name: string, text: string): Date {
  // Without a zone a time means another moment on every machine.
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(text);
  const instant = new Date(text);
  if (!zoned || Number.isNaN(instant.getTime())) {
    throw notABook(name, `${JSON.stringify(text)} is no time with a zone, like 2026-07-20T05:19:05Z`);
  }
  return instant;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPricingType = (value: string): value is PricingType =>
  (pricingTypes as readonly string[]).includes(value);

function notABook(name: string, problem: string, cause?: unknown): UserError {
  return new UserError(`${name} is not a recorded book: ${problem}`, { cause });
}
