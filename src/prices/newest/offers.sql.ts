import type postgres from 'postgres';
import { defaultProfile, type Metric, type UsageProfile } from '../../core/metric.ts';
import type { Offer } from '../../core/offer.ts';
import { allFields, type FieldsWith, fieldsWhere } from '../../core/offer-fields.ts';
import type { OfferFilter } from '../../core/offer-filter.ts';
import type { Db } from '../../database/connection.ts';
import { joinNames, selectFields } from './offer-columns.sql.ts';
import { filterCondition } from './offer-filter.sql.ts';
import { metricValue } from './price-figures.sql.ts';

/** Which offers of the newest books are asked for. */
export interface BookOffersQuery {
  /** Newest books, one a pricing type. */
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
  /** With the 8 GB of the listed figures, whatever the profile: compared with medians of history. */
  listedUsdPerGpuHour: number | null;
}

const aliases = { listing: 'l', price: 'o', attribute: 'o', newest: 'o' } as const;

/** One row an offer of the books that the query asks for, with the columns of BookOffer in camelCase. */
function bookOffers(db: Db, query: BookOffersQuery): postgres.Fragment {
  const { bookIds, gpuNames, filter, profile } = query;
  const value = (metric: Metric, of = profile) => metricValue(db, metric, of, 'o');
  const models = gpuNames.length === 0 ? db`true` : db`m.name = any(${[...gpuNames]}::text[])`;
  // A book writes either complete or partial rows, so its id alone picks the right ones.
  return db`
    select o.offer_id as "offerId", l.id as "listingId", m.name as "gpuName", l.type, ${value('usdPerHour')} as "usdPerHour",
      ${value('usdPerGpuHour')} as "usdPerGpuHour", ${value('allInUsdPerHour')} as "allInUsdPerHour",
      ${value('usdPerGpuHour', defaultProfile)} as "listedUsdPerGpuHour", ${selectFields(db, allFields, aliases)}
    from latest_offer o
    join listing l on l.id = o.listing_id
    join gpu_model m on m.id = l.gpu_model_id
    ${joinNames(db, 'o')}
    where o.book_id = any(${[...bookIds]}::int[]) and ${models}
      and ${filterCondition(db, filter, { attributes: 'o', storageGb: profile.storageGb })}`;
}

/**
 * Offers by model and price per GPU, from place `skip` on; an unknown price comes last. `held`: how many offers the books
 * still hold, filtered or not, as of the same moment.
 */
export async function listBookOffers(
  db: Db,
  query: BookOffersQuery,
  page: { skip: number; limit: number },
): Promise<{ rows: BookOffer[]; held: number }> {
  // One statement, which sees one state: a landing moves offers from the books asked for to its own.
  const rows = await db<(BookOffer & { held: number })[]>`
    with held as materialized (
      select count(*)::int as held from latest_offer where book_id = any(${[...query.bookIds]}::int[]))
    select * from held left join (
      select * from (${bookOffers(db, query)}) offers
      order by "gpuName" collate "C", "usdPerGpuHour" nulls last, "listingId"
      limit ${page.limit} offset ${page.skip}) page on true
    order by "gpuName" collate "C", "usdPerGpuHour" nulls last, "listingId"`;
  return {
    held: rows[0]?.held ?? 0,
    // Without an offer to list there is still one row that says what the books hold.
    rows: rows.filter(({ listingId }) => listingId !== null).map(({ held: _, ...offer }) => offer),
  };
}

const currentFields = [
  ...fieldsWhere(({ isShownOnly }) => isShownOnly !== true),
  'minBidUsdPerHour' as const,
];

/** An offer of a book as rankings look at it, in memory; null: the market did not say. */
export type CurrentOffer = Omit<
  BookOffer,
  | 'usdPerHour'
  | 'usdPerGpuHour'
  | 'allInUsdPerHour'
  | Exclude<FieldsWith<{ isShownOnly: true }>, 'minBidUsdPerHour'>
>;

/** All offers of a book whose offers are the latest of their listings, in no order. */
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
