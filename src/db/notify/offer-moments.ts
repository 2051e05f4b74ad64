import type { Db } from '../connection.ts';

/** From when on listings that are there now have been so at their present price: first book of both. */
export async function findOfferMoments(
  db: Db,
  scopeId: number,
  listingIds: readonly number[],
): Promise<Map<number, Date>> {
  const rows = await db<{ listingId: number; since: Date }[]>`
    select p.listing_id as "listingId", greatest(max(p.first_at), max(r.valid_from)) as since
    from presence p join price_run r on r.listing_id = p.listing_id and r.scope_id = p.scope_id
      and r.valid_to = 'infinity'
    where p.scope_id = ${scopeId} and p.listing_id = any(${[...listingIds]}::int[]) and p.last_at = 'infinity'
    group by p.listing_id`;
  return new Map(rows.map(({ listingId, since }) => [listingId, since]));
}
