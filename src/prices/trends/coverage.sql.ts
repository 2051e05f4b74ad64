import type postgres from 'postgres';
import { coversModelNamed } from '../../books/covered-books.sql.ts';
import { wholeBuckets } from '../../core/bucket.ts';
import type { Db } from '../../database/connection.ts';
import type { SeriesQuery } from './trend-point.ts';

export interface Coverage {
  books: number;
  complete: number;
  partial: number;
  failed: number;
  /** Moments of the first and last complete book; null: none. */
  first: Date | null;
  last: Date | null;
}

/** In shorter ranges books are counted one by one. */
const countedDays = 3;
const dayMs = 86_400_000;

/**
 * Returns the number of the series' books in the range and of failed attempts. With a model, a book with a complete
 * slice of it counts as complete. In long ranges whole days are counted from `book_day`.
 */
export async function bookCoverage(db: Db, query: SeriesQuery): Promise<Coverage> {
  const { from, to } = query;
  const inner = {
    from: wholeBuckets('1d', { from, to: new Date(from.getTime() + 1) }),
    to: wholeBuckets('1d', { from: to, to }).from,
  };
  const start = inner.from.from.getTime() === from.getTime() ? from : inner.from.to;
  if (inner.to.getTime() - start.getTime() < countedDays * dayMs) return await countBooks(db, query, [query]);
  return await countBooks(
    db,
    query,
    [
      { from, to: start },
      { from: inner.to, to },
    ],
    { from: start, to: inner.to },
  );
}

async function countBooks(
  db: Db,
  query: SeriesQuery,
  edges: readonly { from: Date; to: Date }[],
  days: { from: Date; to: Date } | null = null,
): Promise<Coverage> {
  const { scopeId, type, gpuName } = query;
  const ofSeries = db`scope_id = ${scopeId} and type = ${type}`;
  const inEdges = edges
    .filter(({ from, to }) => from < to)
    .reduce(
      (any, { from, to }) => db`${any} or b.observed_at >= ${from} and b.observed_at < ${to}`,
      db`false`,
    );
  const whole =
    days === null
      ? db`select 0 as books, 0 as complete`
      : db`select coalesce(sum(books), 0) as books, coalesce(sum(complete), 0) as complete from book_day
          where ${ofSeries} and day >= ${days.from.toISOString().slice(0, 10)}::date
            and day < ${days.to.toISOString().slice(0, 10)}::date`;
  const inDays = days === null ? db`false` : db`b.observed_at >= ${days.from} and b.observed_at < ${days.to}`;
  const slices = gpuName === null || days === null ? db`0` : sliceCount(db, query, inDays);
  const near = (order: postgres.Fragment): postgres.Fragment => db`
    (select b.observed_at from book b where ${ofSeries} and b.observed_at >= ${query.from}
      and b.observed_at < ${query.to} and ${coversModelNamed(db, gpuName)} order by b.observed_at ${order} limit 1)`;
  const [row] = await db<Coverage[]>`
    select (w.books + e.books)::int as books, (w.complete + e.complete + s.count)::int as complete,
      (w.books + e.books - w.complete - e.complete - s.count)::int as partial, f.failed,
      ${near(db`asc`)} as first, ${near(db`desc`)} as last
    from (${whole}) w,
      (select count(*) as books, count(*) filter (where ${coversModelNamed(db, gpuName)}) as complete from book b
        where ${ofSeries} and (${inEdges})) e,
      (select ${slices} as count) s,
      (select count(*)::int as failed from crawl r join scope s on s.market_id = r.market_id
        and s.name = r.scope_name
        where s.id = ${scopeId} and r.type = ${type} and r.outcome = 'failed' and r.kind = 'offers'
          and r.started_at >= ${query.from} and r.started_at < ${query.to}) f`;
  return row ?? { books: 0, complete: 0, partial: 0, failed: 0, first: null, last: null };
}

/** SQL that counts whole days' partial books that are complete for the model. */
const sliceCount = (db: Db, { scopeId, type, gpuName }: SeriesQuery, within: postgres.Fragment) => db`
  (select count(*) from book_slice c join gpu_model m on m.id = c.gpu_model_id join book b on b.id = c.book_id
    where m.name = ${gpuName} and c.verdict = 'complete' and b.verdict = 'partial'
      and b.scope_id = ${scopeId} and b.type = ${type} and ${within})`;
