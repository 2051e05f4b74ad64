import { type SqlText, sqlText as sql } from '../../database/sql-text.ts';
import type { LakeScope } from '../../exports/lake/lake-query.ts';

/** Days of a query: `from` to before `to`, UTC. */
export interface Days {
  from: string;
  to: string;
}

/** SQL of midnight UTC as the given day begins. */
export const midnight = (day: string): SqlText => sql`(${day}::timestamp at time zone 'UTC')`;
/** SQL of the UTC day of a moment. */
export const utcDay = (moment: SqlText): SqlText => sql`(${moment} at time zone 'UTC')::date`;

/**
 * SQL of the common table expression `axis`: by scope, type, model and day the moments of the books that cover the
 * model, in order. Source: docs/meaning.md#books-and-coverage.
 */
export const axisSql = ({ marketId }: LakeScope, { from, to }: Days): SqlText => sql`
  day_book as (
    select b.id, b.scope_id, b.type, b.observed_at, b.verdict, ${utcDay(sql`b.observed_at`)} as day
    from book b join scope s on s.id = b.scope_id
    where s.market_id = ${marketId} and b.observed_at >= ${midnight(from)} and b.observed_at < ${midnight(to)}
  ), covering as (
    select d.scope_id, d.type, m.gpu_model_id, d.day, d.observed_at
    from day_book d cross join (select distinct gpu_model_id from listing where market_id = ${marketId}) m
    where d.verdict = 'complete'
    union all
    select d.scope_id, d.type, c.gpu_model_id, d.day, d.observed_at
    from day_book d join book_slice c on c.book_id = d.id
    where d.verdict <> 'complete' and c.verdict = 'complete' and c.gpu_model_id is not null
  ), axis as materialized (
    select scope_id, type, gpu_model_id, day, array_agg(observed_at order by observed_at) as moments
    from covering group by 1, 2, 3, 4
  )`;

/**
 * SQL of common table expressions after `axis` and `held`, which has stretches of listings (`scope_id`, `type`,
 * `gpu_model_id`, from `begins` to `ends`, both inclusive). The last one, `stretch`, has each of them once for each day
 * that has a covering book in it: its columns with `day`, `first_at`, `last_at` and the number of `books`.
 */
export const stretchSql = ({ from, to }: Days): SqlText => sql`
  held_day as materialized (
    select h.*, d::date as day
    from held h cross join lateral generate_series(
      greatest(${utcDay(sql`h.begins`)}, ${from}::date)::timestamp,
      least(${utcDay(sql`h.ends`)}, ${to}::date - 1)::timestamp, interval '1 day') as d
  ), stretch as (
    select h.*, w.moments[w.before + 1] as first_at, w.moments[w.through] as last_at, w.through - w.before as books
    from held_day h
    join axis a on a.scope_id = h.scope_id and a.type = h.type and a.gpu_model_id = h.gpu_model_id and a.day = h.day
    -- Computed once instead of at each use.
    cross join lateral (select a.moments, width_bucket(h.begins - interval '1 microsecond', a.moments) as before,
      width_bucket(h.ends, a.moments) as through offset 0) w
    where w.through > w.before
  )`;

/** SQL of what each day's books are, as a text that changes with them. */
export const bookDaysSql = ({ marketId }: LakeScope): string =>
  sql`
  select day::text as day, md5(string_agg(line, ',' order by line)) as source from (
    select ${utcDay(sql`b.observed_at`)} as day, concat_ws('|', b.id, s.name, b.type,
      extract(epoch from b.observed_at), extract(epoch from b.started_at), b.verdict, b.reason, b.proof,
      b.content_hash, b.offers, b.allocated_storage_gb, c.line) as line
    from book b join scope s on s.id = b.scope_id
    left join (select book_id, string_agg(concat_ws(':', gpu_model_id, verdict, reason, offers), ';'
      order by gpu_model_id) as line from book_slice group by 1) c on c.book_id = b.id
    where s.market_id = ${marketId}) as line
  group by line.day`.text;

/** SQL of what each day's rows of a query are, as a text that changes with them. */
export const rowDaysSql = (rows: string): string =>
  `select day::text as day, md5(string_agg(hash, '' order by hash)) as source
    from (select day, md5(line::text) as hash from (${rows}) as line) as hashed group by 1`;
