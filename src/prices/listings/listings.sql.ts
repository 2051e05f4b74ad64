import { coversModel } from '../../books/covered-books.sql.ts';
import { rentedScope } from '../../core/crawl-scope.ts';
import type { Offer, PricingType } from '../../core/offer.ts';
import { type FieldsWith, fieldsWhere } from '../../core/offer-fields.ts';
import type { Db } from '../../database/connection.ts';
import { joinNames, selectFields } from '../newest/offer-columns.sql.ts';
import type { SeenSpan } from './episode.ts';

/** A listing, which stays the same while offer ids change. */
export interface Listing {
  id: number;
  market: string;
  marketId: number;
  machineId: number;
  gpuName: string;
  numGpus: number;
  type: PricingType;
  ordinal: number;
}

/** Returns the listing with this id, or null. */
export async function findListing(db: Db, id: number): Promise<Listing | null> {
  const [row] = await db<Listing[]>`
    select l.id, k.name as market, l.market_id as "marketId", l.machine_id as "machineId",
      m.name as "gpuName", l.num_gpus as "numGpus", l.type, l.ordinal
    from listing l join market k on k.id = l.market_id join gpu_model m on m.id = l.gpu_model_id
    where l.id = ${id}`;
  return row ?? null;
}

/** The newest offer of a listing from a complete book, or else from a partial one. */
export interface LatestOffer {
  offerId: number;
  hostId: number | null;
  observedAt: Date;
  bookVerdict: 'complete' | 'partial';
  /** The record as delivered, JSON text; null: it was deleted with a newer book. */
  raw: string | null;
}

/** Returns the newest offer of a listing in a scope, or null if it was never seen there. */
export async function findLatestOffer(
  db: Db,
  { listingId, scopeId }: { listingId: number; scopeId: number },
): Promise<LatestOffer | null> {
  const [row] = await db<LatestOffer[]>`
    select offer_id as "offerId", host_id as "hostId", observed_at as "observedAt",
      case when from_complete_book then 'complete' else 'partial' end as "bookVerdict", records[place] as raw
    from latest_offer left join record_page using (book_id, page) where listing_id = ${listingId} and scope_id = ${scopeId}
    order by from_complete_book desc limit 1`;
  return row ?? null;
}

/** A span of a machine's listing; `open`: the newest covering book holds it. */
export interface MachineSpan extends SeenSpan {
  open: boolean;
}

/**
 * A shorter absence does not count, however many books missed the listing. Source: docs/meaning.md#gone-and-episodes.
 */
const goneAfter = '15 minutes';

/**
 * Returns the spans of a machine's listings in one scope and pricing type, in time order. Gone: missed by at least two
 * covering books, a later one at least 15 minutes after the last sighting.
 */
export async function readMachineSpans(
  db: Db,
  query: { marketId: number; scopeId: number; type: PricingType; machineId: number },
): Promise<MachineSpan[]> {
  const { marketId, scopeId, type, machineId } = query;
  const ofMachine = db`l.market_id = ${marketId} and l.type = ${type} and l.machine_id = ${machineId}`;
  return await readSpans(db, scopeId, ofMachine);
}

/** Returns spans of some listings in one scope, in the form of `readMachineSpans`. */
export async function readListingSpans(
  db: Db,
  scopeId: number,
  listingIds: readonly number[],
): Promise<MachineSpan[]> {
  return await readSpans(db, scopeId, db`l.id = any(${[...listingIds]}::int[])`);
}

async function readSpans(
  db: Db,
  scopeId: number,
  condition: ReturnType<typeof db<object[]>>,
): Promise<MachineSpan[]> {
  const covering = db`b.scope_id = ${scopeId} and b.type = s.type and ${coversModel(db, db`s.gpu_model_id`)}`;
  return await db<MachineSpan[]>`
    with spans as (
      select l.id as listing_id, l.num_gpus, l.ordinal, l.gpu_model_id, l.type, p.first_at, p.last_at,
        coalesce(lead(p.first_at) over (partition by l.id order by p.first_at), 'infinity') as next_at
      from listing l join presence p on p.listing_id = l.id and p.scope_id = ${scopeId}
      where ${condition}
    )
    select s.listing_id as "listingId", s.num_gpus as "numGpus", s.ordinal, s.first_at as "firstAt",
      case when s.last_at = 'infinity' then newest.at else s.last_at end as "lastAt",
      s.last_at = 'infinity' as open, miss.at as "firstMissAt",
      exists (select from book b where ${covering} and b.observed_at > miss.at
        and b.observed_at >= s.last_at + ${goneAfter}::interval and b.observed_at < s.next_at) as gone
    from spans s
    left join lateral (select b.observed_at as at from book b
      where ${covering} and b.observed_at > s.last_at and b.observed_at < s.next_at
      order by b.observed_at limit 1) miss on true
    left join lateral (select b.observed_at as at from book b where ${covering}
      order by b.observed_at desc limit 1) newest on s.last_at = 'infinity'
    order by s.first_at, s.listing_id`;
}

/** A listing's price components from a book on; null `to`: still in force. */
export interface PriceInterval
  extends Pick<
    Offer,
    | 'numGpus'
    | 'baseUsdPerHour'
    | 'storageUsdPerGbMonth'
    | 'inetDownUsdPerGb'
    | 'inetUpUsdPerGb'
    | 'minBidUsdPerHour'
    | 'discountedUsdPerHour'
    | 'discountRate'
  > {
  listingId: number;
  from: Date;
  to: Date | null;
  /** The covering book before `from`; null: there is none. */
  previousBookAt: Date | null;
}

/** Returns the price intervals of some listings in a scope, in time order. */
export async function readCrawlCounts(
  db: Db,
  scopeId: number,
  listingIds: readonly number[],
): Promise<PriceInterval[]> {
  return await db<PriceInterval[]>`
    select r.listing_id as "listingId", l.num_gpus as "numGpus", r.valid_from as "from",
      nullif(r.valid_to, 'infinity') as "to", (select max(b.observed_at) from book b
        where b.scope_id = r.scope_id and b.type = l.type and b.observed_at < r.valid_from
          and ${coversModel(db, db`l.gpu_model_id`)}) as "previousBookAt", r.base_usd_per_hour as "baseUsdPerHour",
      r.storage_usd_per_gb_month as "storageUsdPerGbMonth", r.inet_down_usd_per_gb as "inetDownUsdPerGb",
      r.inet_up_usd_per_gb as "inetUpUsdPerGb", r.min_bid_usd_per_hour as "minBidUsdPerHour",
      r.discounted_usd_per_hour as "discountedUsdPerHour", r.discount_rate as "discountRate"
    from price_interval r join listing l on l.id = r.listing_id
    where r.listing_id = any(${[...listingIds]}::int[]) and r.scope_id = ${scopeId}
    order by r.valid_from, r.listing_id`;
}

type ShownAttribute = Exclude<FieldsWith<{ of: 'attribute' }>, 'gpuIds'>;
export const shownAttributes = fieldsWhere(
  ({ of, type }) => of === 'attribute' && type !== 'bigint[]',
) as ShownAttribute[];

/** Slow attributes in force from `from` to before `to`; null `to`: still in force. */
export interface ListingAttributes extends Pick<Offer, ShownAttribute> {
  from: string;
  to: string | null;
}

/** Returns the attributes of a listing's machine by UTC day. */
export async function readAttributes(db: Db, listingId: number): Promise<ListingAttributes[]> {
  return await db<ListingAttributes[]>`
    select to_char(a.day, 'YYYY-MM-DD') as "from",
      to_char(nullif(a.valid_until, 'infinity'), 'YYYY-MM-DD') as "to",
      ${selectFields(db, shownAttributes, { attribute: 'a' })}
    from listing_attribute a
    ${joinNames(db, 'a')}
    where a.listing_id = ${listingId} and a.valid_until is not null
    order by a.day`;
}

/** An absence of a machine's offer. */
export interface Absence {
  /** The last book that held the offer. */
  lastSeenAt: Date;
  /** The first book that lacked it. */
  from: Date;
  /** The offer's return; null: it has not returned. */
  to: Date | null;
}

/**
 * For absences of a machine's offer: whether a book of the scope of unrentable offers first saw the machine after the
 * last sighting; what it saw earlier is another part of the machine. null: no such book has looked.
 */
export async function seenRented(
  db: Db,
  machine: { marketId: number; type: PricingType; machineId: number },
  absences: readonly Absence[],
): Promise<(boolean | null)[]> {
  if (absences.length === 0) return [];
  const { marketId, type, machineId } = machine;
  // No text such as `infinity`, because the driver reads elements of prepared moments as dates.
  const times = (of: (absence: Absence) => Date | null): (string | null)[] =>
    absences.map((absence) => of(absence)?.toISOString() ?? null);
  const rows = await db<{ place: number; seen: boolean | null }[]>`
    select e.place::int as place, case
      when exists (select from listing l join presence p on p.listing_id = l.id and p.scope_id = s.id
        where l.market_id = ${marketId} and l.type = ${type} and l.machine_id = ${machineId}
          and p.first_at > e.seen_at and (e.to_at is null or p.first_at < e.to_at)) then true
      when exists (select from book b where b.scope_id = s.id and b.type = ${type}
        and b.verdict = 'complete' and b.observed_at >= e.from_at
          and (e.to_at is null or b.observed_at < e.to_at)) then false
      end as seen
    from unnest(${times(({ lastSeenAt }) => lastSeenAt)}::timestamptz[],
      ${times(({ from }) => from)}::timestamptz[], ${times(({ to }) => to)}::timestamptz[])
      with ordinality as e(seen_at, from_at, to_at, place)
    left join scope s on s.market_id = ${marketId} and s.name = ${rentedScope.name}
    order by e.place`;
  return rows.map(({ seen }) => seen);
}
