import type postgres from 'postgres';
import { defaultProfile, type Metric, type UsageProfile } from '../../core/metric.ts';
import type { Offer } from '../../core/offer.ts';
import { allFields, type FieldsWith, fieldsWhere } from '../../core/offer-fields.ts';
import type { OfferFilter } from '../../core/offer-filter.ts';
import type { Db } from '../../database/connection.ts';
import { joinNames, selectFields } from './offer-columns.sql.ts';
import { filterCondition } from './offer-filter.sql.ts';
import { metricValue } from './price-figures.sql.ts';

/** Selects offers of the newest books. */
export interface BookOffersQuery {
  /** Newest books, one per pricing type. */
  bookIds: readonly number[];
  /** Empty: all models. */
  gpuNames: readonly string[];
  filter: OfferFilter;
  profile: UsageProfile;
}

/** An offer of the newest book with its live values; null: the market did not say. */
export interface BookOffer extends Omit<Offer, 'listedUsdPerHour' | 'raw'> {
  listingId: number;
  usdPerHour: number | null;
  usdPerGpuHour: number | null;
  allInUsdPerHour: number | null;
  /** With the 8 GB of listed prices, whatever the profile, to compare with historical medians. */
  listedUsdPerGpuHour: number | null;
}

const aliases = { listing: 'l', price: 'o', attribute: 'o', newest: 'o' } as const;

/** The value of a metric for the offer `o`. */
const metricOf = (db: Db, metric: Metric, profile: UsageProfile): postgres.Fragment =>
  metricValue(db, metric, profile, 'o');

/** The columns of BookOffer in camelCase. */
const bookOfferColumns = (db: Db, profile: UsageProfile): postgres.Fragment => db`
  o.offer_id as "offerId", l.id as "listingId", m.name as "gpuName", l.type, ${metricOf(db, 'usdPerHour', profile)} as "usdPerHour",
  ${metricOf(db, 'usdPerGpuHour', profile)} as "usdPerGpuHour", ${metricOf(db, 'allInUsdPerHour', profile)} as "allInUsdPerHour",
  ${metricOf(db, 'usdPerGpuHour', defaultProfile)} as "listedUsdPerGpuHour", ${selectFields(db, allFields, aliases)}`;

/** The offers of the query's books with what their filters and columns read. */
function bookOffers(db: Db, { bookIds, gpuNames, filter, profile }: BookOffersQuery): postgres.Fragment {
  const models = gpuNames.length === 0 ? db`true` : db`m.name = any(${[...gpuNames]}::text[])`;
  // A book writes either complete or partial rows, so its id alone selects the right ones.
  return db`
    latest_offer o
    join listing l on l.id = o.listing_id
    join gpu_model m on m.id = l.gpu_model_id
    ${joinNames(db, 'o')}
    where o.book_id = any(${[...bookIds]}::int[]) and ${models}
      and ${filterCondition(db, filter, { attributes: 'o', storageGb: profile.storageGb })}`;
}

/**
 * Returns offers by model and price per GPU, after the first `skip`; unknown prices come last. `held`: how many offers
 * the books still hold at that moment, before filters.
 */
export async function listBookOffers(
  db: Db,
  query: BookOffersQuery,
  page: { skip: number; limit: number },
): Promise<{ rows: BookOffer[]; held: number }> {
  const price = metricOf(db, 'usdPerGpuHour', query.profile);
  // A single statement sees one state, while landings move offers from these books to their own. Only the page's offers
  // are read with all columns: sorting them all with their columns takes much longer.
  const rows = await db<(BookOffer & { held: number })[]>`
    with held as materialized (
      select count(*)::int as held from latest_offer where book_id = any(${[...query.bookIds]}::int[])
    ), chosen as materialized (
      select o.listing_id, o.book_id from ${bookOffers(db, query)}
      order by m.name collate "C", ${price} nulls last, l.id
      limit ${page.limit} offset ${page.skip})
    select * from held left join (
      select ${bookOfferColumns(db, query.profile)} from chosen, ${bookOffers(db, query)}
        and o.listing_id = chosen.listing_id and o.book_id = chosen.book_id) page on true
    order by "gpuName" collate "C", "usdPerGpuHour" nulls last, "listingId"`;
  return {
    held: rows[0]?.held ?? 0,
    // Without any listed offer one row still says what the books hold.
    rows: rows.filter(({ listingId }) => listingId !== null).map(({ held: _, ...offer }) => offer),
  };
}

const currentFields = [
  ...fieldsWhere(({ isShownOnly }) => isShownOnly !== true),
  'minBidUsdPerHour' as const,
];

/** An in-memory offer of a book for rankings; null: the market did not say. */
export type CurrentOffer = Omit<
  BookOffer,
  | 'usdPerHour'
  | 'usdPerGpuHour'
  | 'allInUsdPerHour'
  | Exclude<FieldsWith<{ isShownOnly: true }>, 'minBidUsdPerHour'>
>;

/** Returns all offers of a book that are their listings' latest, unordered. */
export async function readCurrentOffers(db: Db, bookId: number): Promise<CurrentOffer[]> {
  return await db<CurrentOffer[]>`
    select o.offer_id as "offerId", l.id as "listingId", m.name as "gpuName", l.type,
      ${metricValue(db, 'usdPerGpuHour', defaultProfile, 'o')} as "listedUsdPerGpuHour",
      ${selectFields(db, currentFields, aliases)}
    from latest_offer o
    join listing l on l.id = o.listing_id
    join gpu_model m on m.id = l.gpu_model_id
    ${joinNames(db, 'o')}
    where o.book_id = ${bookId}`;
}
