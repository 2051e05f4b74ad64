import type { Db } from '../../database/connection.ts';
import { type ExplainedBooks, readBucketBooks } from './book-rows.sql.ts';
import { type HeldRow, readHeldRows } from './held-rows.sql.ts';

/** Returns what the books of [from, to) held, and the moments of those that count, ascending milliseconds. */
export async function readHeld(
  db: Db,
  series: ExplainedBooks,
  range: { from: Date; to: Date },
): Promise<{ held: HeldRow[]; times: number[] }> {
  const [books, held] = await Promise.all([
    readBucketBooks(db, series, range),
    readHeldRows(db, series, range),
  ]);
  return {
    held,
    times: books.filter(({ covers }) => covers).map(({ observedAt }) => observedAt.getTime()),
  };
}
