import type { Db, Sql } from './connection.ts';
import { computeBookPoints } from './points.ts';
import { dropPoolDays } from './pool-days.ts';

/** Books recomputed at once: bounds memory, and is what a progress bar shows. */
const booksPerStep = 200;

/**
 * Makes every derived table again from books, listings, attributes, presence and runs. Each step is one
 * transaction, so that readers see old or new points, never none. Returns the number of books.
 */
export async function rebuild(
  sql: Sql,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<number> {
  await dropPoolDays(sql);
  const ids = await bookIds(sql);
  for (let at = 0; at < ids.length; at += booksPerStep) {
    const step = ids.slice(at, at + booksPerStep);
    await sql.begin(async (tx) => {
      // No book lands in these series meanwhile: it would compute the same points.
      await tx`select pg_advisory_xact_lock(scope_id, hashtext(type::text)) from (
        select distinct scope_id, type from book where id = any(${step}) order by 1, 2) series`;
      await computeBookPoints(tx as Db, tx`b.id = any(${step})`);
    });
    onProgress(Math.min(at + booksPerStep, ids.length), ids.length);
  }
  return ids.length;
}

async function bookIds(db: Db): Promise<number[]> {
  const rows = await db<{ id: number }[]>`select id from book order by observed_at, id`;
  return rows.map((row) => row.id);
}
