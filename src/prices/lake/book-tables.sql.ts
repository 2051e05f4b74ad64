import { sqlText as sql } from '../../database/sql-text.ts';
import { columnsOf } from '../../exports/export-column.ts';
import { type LakeQuery, lakeQuery } from '../../exports/lake/lake-query.ts';
import { bookDaysSql, midnight, utcDay } from './day-axis.sql.ts';

/** Every book, complete or partial. */
export const booksTable: LakeQuery = lakeQuery({
  name: 'books',
  about: 'one row a book, complete or partial',
  columns: columnsOf({
    book_id: 'integer',
    scope: 'text',
    type: 'text',
    observed_at: 'moment',
    started_at: 'moment',
    verdict: 'text',
    reason: 'text',
    proof: 'text',
    offers: 'integer',
    allocated_storage_gb: 'number',
    content_hash: 'text',
  }),
  daysSql: bookDaysSql,
  rowsSql: ({ marketId }, from, to) =>
    sql`
    select ${utcDay(sql`b.observed_at`)} as day, b.id as book_id, s.name as scope, b.type, b.observed_at, b.started_at,
      b.verdict, b.reason, b.proof, b.offers, b.allocated_storage_gb, b.content_hash
    from book b join scope s on s.id = b.scope_id
    where s.market_id = ${marketId} and b.observed_at >= ${midnight(from)} and b.observed_at < ${midnight(to)}
    order by day, s.name, b.type, b.observed_at`.text,
});

/** The slices of books. */
export const bookSlicesTable: LakeQuery = lakeQuery({
  name: 'book_slices',
  about: 'one row a slice of a book, with its own verdict',
  columns: columnsOf({
    book_id: 'integer',
    scope: 'text',
    type: 'text',
    observed_at: 'moment',
    gpu_name: 'text',
    verdict: 'text',
    reason: 'text',
    offers: 'integer',
  }),
  daysSql: bookDaysSql,
  rowsSql: ({ marketId }, from, to) =>
    sql`
    select ${utcDay(sql`b.observed_at`)} as day, b.id as book_id, s.name as scope, b.type, b.observed_at,
      m.name as gpu_name, c.verdict, c.reason, c.offers
    from book b join scope s on s.id = b.scope_id join book_slice c on c.book_id = b.id
    left join gpu_model m on m.id = c.gpu_model_id
    where s.market_id = ${marketId} and b.observed_at >= ${midnight(from)} and b.observed_at < ${midnight(to)}
    order by day, s.name, b.type, b.observed_at, m.name`.text,
});
