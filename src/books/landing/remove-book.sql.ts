import { fieldEntries } from '../../core/offer-fields.ts';
import { assignments, differIn, emptied } from '../../database/column-lists.ts';
import type { ReservedSql } from '../../database/connection.ts';
import { coversModel } from '../covered-books.sql.ts';
import { attributeNames, decideInForce, hasThinnedDays } from './attributes.sql.ts';
import { lockAttributes } from './locks.sql.ts';
import type { Series } from './place.sql.ts';
import { findNeighbors } from './presence.sql.ts';
import { components } from './price-intervals.sql.ts';

/** What only a newest offer states is not known of the offer before it. */
const unknownNames = fieldEntries.filter(([, { of }]) => of === 'newest').map(([, { column }]) => column);

/**
 * Removes a book so that another can replace it, leaving the database almost as if the book had never been stored.
 * Deletes its records and rebuilds, from prices and attributes, the newest offer of listings that an earlier complete
 * book held; attributes that it stated first on a day stay if a later book of that day held the listing.
 */
export async function removeBook(
  tx: ReservedSql,
  series: Series,
  book: { id: number; observedAt: Date },
): Promise<void> {
  const { scopeId } = series;
  const { id, observedAt: at } = book;
  await findNeighbors(tx, series, book);
  await findCovered(tx, series);
  await shortenPresence(tx, scopeId, at);
  await joinPresence(tx, scopeId);
  await removePriceIntervals(tx, scopeId, at);
  await releaseDay(tx, series, at);
  await restoreLatestOffers(tx, series, id);
  await tx`delete from latest_offer where book_id = ${id}`;
  await tx`delete from record_page where book_id = ${id}`;
  await tx`delete from book where id = ${id}`;
  await deleteListings(tx, series);
  await tx`drop table covered_listing`;
}

/** Creates `covered_listing`: listings whose model the book covers, with its neighboring covering books. */
async function findCovered(tx: ReservedSql, { marketId, type }: Series): Promise<void> {
  await tx`drop table if exists covered_listing`;
  await tx`
    create temporary table covered_listing as
    select l.id as listing_id, n.before_at, n.after_at from listing l
    join slice_neighbor n on n.gpu_model_id = l.gpu_model_id
    where l.market_id = ${marketId} and l.type = ${type}`;
  await tx`analyze covered_listing`;
}

async function shortenPresence(tx: ReservedSql, scopeId: number, at: Date): Promise<void> {
  const here = tx`p.listing_id = c.listing_id and p.scope_id = ${scopeId}`;
  await tx`delete from presence p using covered_listing c
    where ${here} and p.first_at = ${at} and (p.last_at = ${at} or c.after_at is null)`;
  await tx`update presence p set first_at = c.after_at from covered_listing c
    where ${here} and p.first_at = ${at}`;
  await tx`update presence p set last_at = c.before_at from covered_listing c
    where ${here} and p.last_at = ${at}`;
}

/** Without the book, an interval that ended just before it and one that began just after are one. */
async function joinPresence(tx: ReservedSql, scopeId: number): Promise<void> {
  await tx`
    with joined as (
      delete from presence p using covered_listing c
      where p.listing_id = c.listing_id and p.scope_id = ${scopeId} and p.first_at = c.after_at
        and exists (select from presence l where l.listing_id = p.listing_id and l.scope_id = ${scopeId}
          and l.last_at = c.before_at)
      returning p.listing_id, p.last_at
    )
    update presence p set last_at = j.last_at from joined j join covered_listing c using (listing_id)
    where p.listing_id = j.listing_id and p.scope_id = ${scopeId} and p.last_at = c.before_at`;
  await tx`update presence p set last_at = 'infinity' from covered_listing c
    where p.listing_id = c.listing_id and p.scope_id = ${scopeId} and p.last_at = c.before_at
      and c.after_at is null`;
}

async function removePriceIntervals(tx: ReservedSql, scopeId: number, at: Date): Promise<void> {
  await tx`drop table if exists removed_interval`;
  // An interval that began with the book begins where its price was next seen, or is deleted.
  await tx`
    create temporary table removed_interval as
    select r.listing_id, r.valid_to, case when seen.at < r.valid_to then seen.at end as seen_again_at,
      before.valid_from as before_from,
      before.valid_from is not null and after.valid_from is not null
        and not ${differIn(tx, components, 'before', 'after')} as rejoins
    from price_interval r
    join covered_listing c using (listing_id)
    left join price_interval before on before.listing_id = r.listing_id and before.scope_id = r.scope_id
      and before.valid_to = ${at}
    left join price_interval after on after.listing_id = r.listing_id and after.scope_id = r.scope_id
      and after.valid_from = r.valid_to
    left join lateral (
      select min(greatest(p.first_at, c.after_at)) as at from presence p
      where p.listing_id = r.listing_id and p.scope_id = r.scope_id and p.last_at >= c.after_at) seen on true
    where r.scope_id = ${scopeId} and r.valid_from = ${at}`;
  const its = tx`r.listing_id = g.listing_id and r.scope_id = ${scopeId}`;
  await tx`update price_interval r set valid_from = g.seen_again_at from removed_interval g
    where ${its} and r.valid_from = ${at} and g.seen_again_at is not null`;
  await tx`delete from price_interval r using removed_interval g
    where ${its} and (r.valid_from = ${at} and g.seen_again_at is null
      or r.valid_from = g.valid_to and g.seen_again_at is null and g.rejoins)`;
  await tx`
    update price_interval r set valid_to = coalesce(g.seen_again_at, (
      select min(valid_from) from price_interval n
      where n.listing_id = r.listing_id and n.scope_id = r.scope_id and n.valid_from > ${at}), 'infinity')
    from removed_interval g where ${its} and r.valid_from = g.before_from`;
  await tx`drop table removed_interval`;
}

async function releaseDay(tx: ReservedSql, series: Series, at: Date): Promise<void> {
  const { type } = series;
  const day = at.toISOString().slice(0, 10);
  await lockAttributes(tx, series);
  // Later days that only repeated this one were dropped, so it still applies to them unless there are none.
  const isNeeded = (await hasThinnedDays(tx, series, day))
    ? tx`exists (select from presence q where q.listing_id = a.listing_id)`
    : tx`false`;
  await tx`drop table if exists attribute_touched`;
  // Any scope's book may have held the listing later that day.
  await tx`
    create temporary table attribute_touched as
    select a.listing_id, case when (seen.at at time zone 'UTC')::date = ${day} then seen.at end as stated_at
    from listing_attribute a
    join covered_listing c using (listing_id)
    join listing l on l.id = a.listing_id
    left join lateral (
      select min(held.at) as at from presence p
      cross join lateral (select b.observed_at as at from book b
        where b.scope_id = p.scope_id and b.type = ${type} and b.observed_at > ${at}
          and b.observed_at between p.first_at and p.last_at and ${coversModel(tx, tx`l.gpu_model_id`)}
        order by b.observed_at limit 1) held
      where p.listing_id = a.listing_id and p.last_at > ${at}) seen on true
    where a.day = ${day} and a.observed_at = ${at} and not ${isNeeded}`;
  await tx`update listing_attribute a set observed_at = t.stated_at from attribute_touched t
    where a.listing_id = t.listing_id and a.day = ${day} and t.stated_at is not null`;
  await tx`delete from listing_attribute a using attribute_touched t
    where a.listing_id = t.listing_id and a.day = ${day} and t.stated_at is null`;
  await decideInForce(tx, day);
  await tx`drop table attribute_touched`;
}

/** Restores the previous complete book's offers, without records, for listings whose newest offer the book had. */
async function restoreLatestOffers(
  tx: ReservedSql,
  { scopeId, type }: Series,
  bookId: number,
): Promise<void> {
  await tx`
    with earlier as materialized (
      select o.listing_id, held.id, held.at from latest_offer o
      cross join lateral (
        select b.id, b.observed_at as at from presence p
        join book b on b.scope_id = p.scope_id and b.type = ${type} and b.verdict = 'complete'
          and b.observed_at between p.first_at and p.last_at
        where p.listing_id = o.listing_id and p.scope_id = ${scopeId} and b.id <> ${bookId}
        order by p.first_at desc, b.observed_at desc limit 1) held
      where o.book_id = ${bookId} and o.from_complete_book
    )
    update latest_offer o set book_id = e.id, observed_at = e.at, page = -1, place = 1,
      ${emptied(tx, unknownNames)}, ${assignments(tx, components, 'r')}, ${assignments(tx, attributeNames, 'a')}
    from earlier e
    join price_interval r on r.listing_id = e.listing_id and r.scope_id = ${scopeId}
      and r.valid_from <= e.at and r.valid_to > e.at
    join lateral (
      select * from listing_attribute d where d.listing_id = e.listing_id
        and d.day <= (e.at at time zone 'UTC')::date
      order by d.day desc limit 1) a on true
    where o.listing_id = e.listing_id and o.scope_id = ${scopeId} and o.from_complete_book`;
}

/** Deletes listings that only this book had. */
async function deleteListings(tx: ReservedSql, { marketId, type }: Series): Promise<void> {
  await tx`
    delete from listing l where market_id = ${marketId} and type = ${type}
      and not exists (select from presence where listing_id = l.id)
      and not exists (select from price_interval where listing_id = l.id)
      and not exists (select from listing_attribute where listing_id = l.id)
      and not exists (select from latest_offer where listing_id = l.id)`;
}
