import type { ReservedSql } from '../../database/connection.ts';
import { coversModel } from '../covered-books.sql.ts';
import type { Series } from './place.sql.ts';

/**
 * Creates `slice_neighbor (gpu_model_id, before_at, after_at)`: for each model that this book covers, the previous and
 * the next covering book of the series, or null. Presence, price intervals and days depend only on the neighboring
 * books, so books may arrive in any order.
 */
export async function findNeighbors(
  tx: ReservedSql,
  series: Series,
  book: { id: number; observedAt: Date },
): Promise<void> {
  const { scopeId, type } = series;
  await tx`drop table if exists slice_neighbor`;
  const covers = coversModel(tx, tx`m.id`);
  const inSeries = tx`b.scope_id = ${scopeId} and b.type = ${type}`;
  await tx`
    create temporary table slice_neighbor as
    select m.id as gpu_model_id,
      (select observed_at from book b where ${inSeries} and observed_at < ${book.observedAt} and ${covers}
        order by observed_at desc limit 1) as before_at,
      (select observed_at from book b where ${inSeries} and observed_at > ${book.observedAt} and ${covers}
        order by observed_at limit 1) as after_at
    from gpu_model m
    where exists (select from book b where b.id = ${book.id} and ${covers})`;
  await tx`analyze slice_neighbor`;
}

/** Extends, opens, closes, splits and joins the presence intervals of every listing that the book covers. */
export async function mergePresence(tx: ReservedSql, series: Series, at: Date): Promise<void> {
  await closeMissing(tx, series, at);
  await extendPresent(tx, series.scopeId, at);
}

async function closeMissing(tx: ReservedSql, { marketId, scopeId, type }: Series, at: Date): Promise<void> {
  // An interval around the book whose listing the book lacks ends before the book. If a later covering book had the
  // listing, a new interval begins there.
  await tx`
    with missing as (
      select p.listing_id, p.first_at, p.last_at, n.before_at, n.after_at
      from presence p
      join listing l on l.id = p.listing_id and l.market_id = ${marketId} and l.type = ${type}
      join slice_neighbor n on n.gpu_model_id = l.gpu_model_id
      where p.scope_id = ${scopeId} and p.first_at < ${at} and p.last_at > ${at}
        and not exists (select from placed_offer o where o.listing_id = p.listing_id)
    ), closed as (
      update presence p set last_at = m.before_at from missing m
      where p.listing_id = m.listing_id and p.scope_id = ${scopeId} and p.first_at = m.first_at
    )
    insert into presence (listing_id, scope_id, first_at, last_at)
    select listing_id, ${scopeId}, after_at, last_at from missing where after_at is not null`;
}

async function extendPresent(tx: ReservedSql, scopeId: number, at: Date): Promise<void> {
  await tx`drop table if exists newly_seen`;
  // A table of its own: in one statement with the insert, each look-up could scan all rows just added.
  await tx`
    create temporary table newly_seen as
    select o.listing_id, n.before_at, n.after_at, l.first_at as previous_first, l.last_at as previous_last,
      r.first_at as next_first
    from placed_offer o
    join slice_neighbor n on n.gpu_model_id = o.gpu_model_id
    left join lateral (
      select first_at, last_at from presence p
      where p.listing_id = o.listing_id and p.scope_id = ${scopeId} and p.first_at <= ${at}
      order by first_at desc limit 1) l on true
    left join lateral (
      select first_at from presence p
      where p.listing_id = o.listing_id and p.scope_id = ${scopeId} and p.first_at > ${at}
      order by first_at limit 1) r on true
    where l.last_at is null or l.last_at < ${at}`;
  await tx`analyze newly_seen`;
  // The three cases are exclusive: the previous book had the listing, or the next one, or neither.
  await tx`
    with extended as (
      update presence p set last_at = ${at} from newly_seen s
      where p.listing_id = s.listing_id and p.scope_id = ${scopeId} and p.first_at = s.previous_first
        and s.previous_last = s.before_at
    ), begun as (
      update presence p set first_at = ${at} from newly_seen s
      where p.listing_id = s.listing_id and p.scope_id = ${scopeId} and p.first_at = s.next_first
        and s.next_first = s.after_at
    )
    insert into presence (listing_id, scope_id, first_at, last_at)
    select listing_id, ${scopeId}, ${at}, case when after_at is null then 'infinity' else ${at} end
    from newly_seen
    where not coalesce(previous_last = before_at, false) and not coalesce(next_first = after_at, false)
    order by listing_id`;
}
