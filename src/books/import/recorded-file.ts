import type { PricingType } from '../../core/offer.ts';
import { bookOfLine, momentOfSearch, notABook, type RecordedBook } from '../../core/recorded-book.ts';
import { records } from '../../market/registry.ts';
import type { CsvOptions } from './csv-columns.ts';
import type { CsvFile } from './csv-records.ts';
import { unzipChunks } from './file-chunks.ts';
import { createRecordSpool } from './record-spool.ts';
import { readRecords } from './recorded-records.ts';

/** A book of a recorded file whose records are read on demand. */
export interface FiledBook extends Omit<RecordedBook, 'records'> {
  /** Yields some megabytes of records at a time, in file order. */
  records: () => AsyncGenerator<Record<string, unknown>[]>;
}

interface ReadOptions {
  /** Moment for a search response without `collected_utc`. */
  observedAt?: Date | undefined;
  /** How CSV files are laid out; any of it makes a file of another name one too. @default as their columns are named */
  csv?: Partial<CsvOptions> | undefined;
  /** Checks the unpacked bytes and passes them on. @default no check */
  bound?: ((chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>) | undefined;
}

/**
 * Reads a recorded file to its end, plain or gzipped, and returns its books, oldest first. Memory does not grow with
 * the file: records are in a temporary file until `close`. Throws UserError, with `name` and what is expected, for
 * anything that is not a book.
 */
export async function openRecordedFile(
  name: string,
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions = {},
): Promise<{ books: FiledBook[]; csv: CsvFile | null; close: () => Promise<void> }> {
  const spool = createRecordSpool();
  const unpacked = unzipChunks(name, chunks);
  const bytes = options.bound?.(unpacked) ?? unpacked;
  const groups = new Map<string, GroupKey>();
  try {
    const put = async (key: GroupKey, record: Buffer): Promise<void> => {
      const group = `${key.observedAt?.toISOString() ?? ''} ${key.type}`;
      groups.set(group, key);
      await spool.put(group, record);
    };
    const { format, answer, csv } = isCsv(name, options.csv)
      ? await readCsvFile(name, bytes, options, put)
      : await readRecordFile(name, bytes, put);
    if (groups.size === 0) throw noOffers(name, csv);
    const ofAnswer = answer === null ? null : momentOfSearch(name, answer, options.observedAt);
    const books = [...groups].map(([group, { type, observedAt }]) => ({
      observedAt: observedAt ?? (ofAnswer as Date),
      type,
      format,
      records: () => parsed(spool.read(group)),
    }));
    books.sort((a, b) => a.observedAt.getTime() - b.observedAt.getTime());
    return { books, csv, close: spool.close };
  } catch (error) {
    await spool.close();
    throw error;
  }
}

interface GroupKey {
  type: PricingType;
  observedAt: Date | null;
}

type Put = (key: GroupKey, record: Buffer) => Promise<void>;

const isCsv = (name: string, csv: Partial<CsvOptions> | undefined): boolean =>
  /\.csv(\.gz)?$/i.test(name) ||
  Object.values(csv ?? {}).some((given) => Object.keys(given ?? {}).length > 0);

async function readRecordFile(name: string, bytes: AsyncIterable<Buffer>, put: Put) {
  const end = await readRecords(name, bytes, async ({ row, bytes: record, line }, format) => {
    const key =
      format === 'lines' ? bookOfLine(name, line, row) : { type: records.typeOf(row), observedAt: null };
    await put(key, record);
  });
  return { ...end, csv: null };
}

async function readCsvFile(
  name: string,
  bytes: AsyncIterable<Buffer>,
  { csv, observedAt }: ReadOptions,
  put: Put,
) {
  const { readCsv } = await import('./csv-records.ts');
  const { columns = {}, values = {}, layout, type, timeZone } = csv ?? {};
  const given = { columns, values, layout, type, timeZone, observedAt };
  const file = await readCsv(name, bytes, given, async (row) => {
    await put(
      { type: row.type, observedAt: row.observedAt ?? observedAt ?? null },
      Buffer.from(JSON.stringify(row.record)),
    );
  });
  return { format: 'csv' as const, answer: null, csv: file };
}

function noOffers(name: string, csv: CsvFile | null): Error {
  const [first] = csv?.firstBadRows ?? [];
  return notABook(
    name,
    first === undefined
      ? 'it holds no offers'
      : `none of its ${csv?.rows} rows could be read (line ${first.line}: ${first.reason})`,
  );
}

async function* parsed(pieces: AsyncGenerator<Buffer[]>): AsyncGenerator<Record<string, unknown>[]> {
  for await (const records of pieces) {
    for (let from = 0; from < records.length; from += recordsAtOnce) {
      const some = records.slice(from, from + recordsAtOnce);
      yield some.map((bytes) => JSON.parse(bytes.toString('utf8')) as Record<string, unknown>);
    }
  }
}

const recordsAtOnce = 500;
