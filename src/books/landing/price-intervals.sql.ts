import { fieldEntries } from '../../core/offer-fields.ts';
import { columnList, differIn } from '../../database/column-lists.ts';
import type { ReservedSql } from '../../database/connection.ts';

/** The columns of a listing's prices. */
export const components = fieldEntries.filter(([, { of }]) => of === 'price').map(([, { column }]) => column);
const called = (prefix: string) => components.map((name) => prefix + name);

/**
 * Begins, splits or joins price intervals by the prices of the book's offers. Intervals of a listing follow each other
 * without gaps from its first observation; the last is open. Requires the book's presence to be merged.
 */
export async function mergePriceIntervals(
  tx: ReservedSql,
  scopeId: number,
  at: Date,
  grown: boolean,
): Promise<void> {
  await findChanges(tx, scopeId, at);
  await tx`delete from price_change where not differs`;
  await tx`analyze price_change`;
  // Before all known intervals: the first one begins earlier, or a new one goes before it.
  await tx`
    with earlier as (
      update price_interval r set valid_from = ${at} from price_change c
      where c.valid_from is null and c.joins_next
        and r.listing_id = c.listing_id and r.scope_id = ${scopeId} and r.valid_from = c.next_from
    )
    insert into price_interval (listing_id, scope_id, valid_from, valid_to, ${columnList(tx, components)})
    select listing_id, ${scopeId}, ${at}, coalesce(next_from, 'infinity'), ${columnList(tx, called('new_'))}
    from price_change where valid_from is null and not joins_next
    order by listing_id`;
  if (grown) await tx`analyze price_interval`;
  // Another price inside an interval: it ends here and resumes where the listing was next seen at the old price.
  await tx`
    with ended as (
      update price_interval r set valid_to = ${at} from price_change c
      where r.listing_id = c.listing_id and r.scope_id = ${scopeId} and r.valid_from = c.valid_from
    ), joined as (
      update price_interval r set valid_from = ${at} from price_change c
      where c.valid_from is not null and c.seen_again_at is null and c.joins_next
        and r.listing_id = c.listing_id and r.scope_id = ${scopeId} and r.valid_from = c.next_from
    ), begun as (
      insert into price_interval (listing_id, scope_id, valid_from, valid_to, ${columnList(tx, components)})
      select listing_id, ${scopeId}, ${at}, coalesce(seen_again_at, next_from, 'infinity'),
        ${columnList(tx, called('new_'))}
      from price_change
      where valid_from is not null and (seen_again_at is not null or not joins_next)
    )
    insert into price_interval (listing_id, scope_id, valid_from, valid_to, ${columnList(tx, components)})
    select listing_id, ${scopeId}, seen_again_at, valid_to, ${columnList(tx, called('old_'))}
    from price_change where valid_from is not null and seen_again_at is not null`;
}

/**
 * Creates `price_change`: per offer the interval in force at the book (`old_*`), the one after it, and when a later
 * book saw the listing again before that one. null `valid_from`: no interval is in force yet.
 */
async function findChanges(tx: ReservedSql, scopeId: number, at: Date): Promise<void> {
  await tx`drop table if exists price_change`;
  await tx`
    create temporary table price_change as
    select o.listing_id, r.valid_from, r.valid_to, ${columnList(tx, components, { of: 'r', as: 'old_' })},
      ${columnList(tx, components, { of: 's', as: 'new_' })},
      next.valid_from as next_from,
      r.valid_from is null or ${differIn(tx, components, 'r', 's')} as differs,
      next.valid_from is not null and not ${differIn(tx, components, 'next', 's')} as joins_next,
      case when seen.at < coalesce(r.valid_to, 'infinity') then seen.at end as seen_again_at
    from placed_offer o
    join staged_offer s using (offer_id)
    join slice_neighbor n on n.gpu_model_id = o.gpu_model_id
    left join lateral (
      select * from price_interval r
      where r.listing_id = o.listing_id and r.scope_id = ${scopeId} and r.valid_from <= ${at}
      order by valid_from desc limit 1) r on true
    left join lateral (
      select * from price_interval x
      where x.listing_id = o.listing_id and x.scope_id = ${scopeId} and x.valid_from > ${at}
      order by valid_from limit 1) next on true
    left join lateral (
      select case when p.last_at > ${at} then n.after_at else (
        select min(first_at) from presence q
        where q.listing_id = o.listing_id and q.scope_id = ${scopeId} and q.first_at > ${at}) end as at
      from presence p
      where p.listing_id = o.listing_id and p.scope_id = ${scopeId} and p.first_at <= ${at}
      order by p.first_at desc limit 1) seen on true`;
}
