import type { ReservedSql } from '../../database/connection.ts';
import { coversModel } from '../covered-books.sql.ts';
import type { Series } from './place.sql.ts';

/**
 * For each model that this book covers, the covering books of the series next to it on either side, in
 * `slice_neighbour (gpu_model_id, before_at, after_at)`; null where there is none. Presence, price intervals and days are
 * all decided by what stands next to the book, so books may arrive in any order.
 */
export async function findNeighbours(
  tx: ReservedSql,
  series: Series,
  book: { id: number; observedAt: Date },
): Promise<void> {
  const { scopeId, type } = series;
  await tx`drop table if exists slice_neighbour`;
  const covers = coversModel(tx, tx`m.id`);
  const inSeries = tx`b.scope_id = ${scopeId} and b.type = ${type}`;
  await tx`
    create temporary table slice_neighbour as
    select m.id as gpu_model_id,
      (select observed_at from book b where ${inSeries} and observed_at < ${book.observedAt} and ${covers}
        order by observed_at desc limit 1) as before_at,
      (select observed_at from book b where ${inSeries} and observed_at > ${book.observedAt} and ${covers}
        order by observed_at limit 1) as after_at
    from gpu_model m
    where exists (select from book b where b.id = ${book.id} and ${covers})`;
  await tx`analyze slice_neighbour`;
}

/** Extends, opens, closes, splits and joins the spans of every listing that the book covers. */
export async function mergePresence(tx: ReservedSql, series: Series, at: Date): Promise<void> {
  await closeMissed(tx, series, at);
  await holdPresent(tx, series.scopeId, at);
}

async function closeMissed(tx: ReservedSql, { marketId, scopeId, type }: Series, at: Date): Promise<void> {
  // A span around the book's moment whose listing the book lacks ends before it and, where a later
  // covering book had the listing, begins again there.
  await tx`
    with missed as (
      select p.listing_id, p.first_at, p.last_at, n.before_at, n.after_at
      from presence p
      join listing l on l.id = p.listing_id and l.market_id = ${marketId} and l.type = ${type}
      join slice_neighbour n on n.gpu_model_id = l.gpu_model_id
      where p.scope_id = ${scopeId} and p.first_at < ${at} and p.last_at > ${at}
        and not exists (select from placed_offer o where o.listing_id = p.listing_id)
    ), closed as (
      update presence p set last_at = m.before_at from missed m
      where p.listing_id = m.listing_id and p.scope_id = ${scopeId} and p.first_at = m.first_at
    )
    insert into presence (listing_id, scope_id, first_at, last_at)
    select listing_id, ${scopeId}, after_at, last_at from missed where after_at is not null`;
}

async function holdPresent(tx: ReservedSql, scopeId: number, at: Date): Promise<void> {
  await tx`drop table if exists newly_held`;
  // A table of its own: read from presence while rows are added to it, each look-up could go over all of these.
  await tx`
    create temporary table newly_held as
    select o.listing_id, n.before_at, n.after_at, l.first_at as left_first, l.last_at as left_last,
      r.first_at as right_first
    from placed_offer o
    join slice_neighbour n on n.gpu_model_id = o.gpu_model_id
    left join lateral (
      select first_at, last_at from presence p
      where p.listing_id = o.listing_id and p.scope_id = ${scopeId} and p.first_at <= ${at}
      order by first_at desc limit 1) l on true
    left join lateral (
      select first_at from presence p
      where p.listing_id = o.listing_id and p.scope_id = ${scopeId} and p.first_at > ${at}
      order by first_at limit 1) r on true
    where l.last_at is null or l.last_at < ${at}`;
  await tx`analyze newly_held`;
  // The three cases exclude each other: held next before, held next after, or in neither neighbour.
  await tx`
    with extended as (
      update presence p set last_at = ${at} from newly_held h
      where p.listing_id = h.listing_id and p.scope_id = ${scopeId} and p.first_at = h.left_first
        and h.left_last = h.before_at
    ), begun as (
      update presence p set first_at = ${at} from newly_held h
      where p.listing_id = h.listing_id and p.scope_id = ${scopeId} and p.first_at = h.right_first
        and h.right_first = h.after_at
    )
    insert into presence (listing_id, scope_id, first_at, last_at)
    select listing_id, ${scopeId}, ${at}, case when after_at is null then 'infinity' else ${at} end
    from newly_held
    where not coalesce(left_last = before_at, false) and not coalesce(right_first = after_at, false)
    order by listing_id`;
}
