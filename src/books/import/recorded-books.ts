import { basename } from 'node:path';
import type { RecordedBook } from '../../core/recorded-book.ts';
import { boundChunks, readFileChunks } from './file-chunks.ts';
import { openRecordedFile } from './recorded-file.ts';

/** Maximum bytes of a file in memory, compressed or not. */
const maxHeldBytes = 512 * 1024 * 1024;

/** Returns the books of a recorded file, all in memory. Throws UserError if it is not a book or exceeds 512 MB. */
export async function readRecordedBooks(file: string): Promise<RecordedBook[]> {
  const name = basename(file);
  const { books, close } = await openRecordedFile(name, readFileChunks(file), {
    bound: (chunks) => boundChunks(name, chunks, maxHeldBytes),
  });
  try {
    const whole: RecordedBook[] = [];
    for (const { records, ...book } of books) {
      const all: Record<string, unknown>[] = [];
      for await (const some of records()) all.push(...some);
      whole.push({ ...book, records: all });
    }
    return whole;
  } finally {
    await close();
  }
}
