import type { PricingType } from '../../core/offer.ts';
import { bookOfLine, momentOfSearch, notABook, type RecordedBook } from '../../core/recorded-book.ts';
import { records } from '../../market/registry.ts';
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
): Promise<{ books: FiledBook[]; close: () => Promise<void> }> {
  const spool = createRecordSpool();
  const unpacked = unzipChunks(name, chunks);
  const bytes = options.bound?.(unpacked) ?? unpacked;
  const groups = new Map<string, { type: PricingType; observedAt: Date | null }>();
  try {
    const { format, answer } = await readRecords(name, bytes, async (found, foundIn) => {
      const { row, bytes: record, line } = found;
      const key =
        foundIn === 'lines' ? bookOfLine(name, line, row) : { type: records.typeOf(row), observedAt: null };
      const group = `${key.observedAt?.toISOString() ?? ''} ${key.type}`;
      groups.set(group, key);
      await spool.put(group, record);
    });
    if (groups.size === 0) throw notABook(name, 'it holds no offers');
    const ofAnswer = answer === null ? null : momentOfSearch(name, answer, options.observedAt);
    const books = [...groups].map(([group, { type, observedAt }]) => ({
      observedAt: observedAt ?? (ofAnswer as Date),
      type,
      format,
      records: () => parsed(spool.read(group)),
    }));
    books.sort((a, b) => a.observedAt.getTime() - b.observedAt.getTime());
    return { books, close: spool.close };
  } catch (error) {
    await spool.close();
    throw error;
  }
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
