import type { PricingType } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';

/** The listings of one pricing type in a market's scope. */
export interface ListedIn {
  marketId: number;
  scopeId: number;
  type: PricingType;
}

/** A machine, or all machines of a host. */
export type Place = { machineId: number } | { hostId: number };

/** Returns a machine's host as its newest offer names it; null: unknown. */
export async function findHost(
  db: Db,
  { marketId, scopeId, machineId }: { marketId: number; scopeId: number; machineId: number },
): Promise<number | null> {
  const [row] = await db<{ hostId: number | null }[]>`
    select o.host_id as "hostId" from latest_offer o join listing l on l.id = o.listing_id
    where l.market_id = ${marketId} and l.machine_id = ${machineId} and o.scope_id = ${scopeId}
    order by o.observed_at desc limit 1`;
  return row?.hostId ?? null;
}

/** Returns the listings that a place ever had, those seen last first; of a host, as their newest offers name it. */
export async function listListings(
  db: Db,
  { marketId, scopeId, type }: ListedIn,
  place: Place,
): Promise<{ id: number; machineId: number }[]> {
  const isThere =
    'machineId' in place ? db`l.machine_id = ${place.machineId}` : db`o.host_id = ${place.hostId}`;
  return await db<{ id: number; machineId: number }[]>`
    select l.id, l.machine_id as "machineId"
    from listing l join latest_offer o on o.listing_id = l.id and o.scope_id = ${scopeId}
    where l.market_id = ${marketId} and l.type = ${type} and ${isThere}
    group by l.id order by max(o.observed_at) desc, l.id`;
}

/** How the account's own rentals at a place went. */
export interface OwnRentals {
  made: number;
  /** It ran at some time. */
  ran: number;
  /** Nothing was rented: the market refused, or no instance ever appeared. */
  notRented: number;
  /** An instance came, and never ran. */
  neverRan: number;
  /** It ran, and was down once at least. */
  wentDown: number;
}

/** Counts the account's instances at a place that Offerbook did not rent, those that ended too. */
export async function countOtherInstances(db: Db, marketId: number, place: Place): Promise<number> {
  const isThere =
    'machineId' in place ? db`i.machine_id = ${place.machineId}` : db`i.host_id = ${place.hostId}`;
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from instance i
    where i.market_id = ${marketId} and ${isThere} and not exists (select from rental r
      where r.market_id = i.market_id and r.instance_id = i.instance_id)`;
  return row?.count ?? 0;
}

/** Counts the rentals at a place, of every pricing type. */
export async function countOwnRentals(db: Db, marketId: number, place: Place): Promise<OwnRentals> {
  const isThere =
    'machineId' in place ? db`r.machine_id = ${place.machineId}` : db`r.host_id = ${place.hostId}`;
  const [row] = await db<OwnRentals[]>`
    select count(*)::int as made,
      count(*) filter (where r.first_running_at is not null)::int as ran,
      count(*) filter (where r.state = 'failed')::int as "notRented",
      count(*) filter (where r.failed_start_at is not null and r.first_running_at is null)::int as "neverRan",
      count(*) filter (where r.first_running_at is not null and exists (select from rental_event e
        where e.rental_id = r.id and e.state = 'down'))::int as "wentDown"
    from rental r where r.market_id = ${marketId} and ${isThere}`;
  return row ?? { made: 0, ran: 0, notRented: 0, neverRan: 0, wentDown: 0 };
}
