import { coversModel, coversModelNamed } from '../../books/covered-books.sql.ts';
import { attributeNames } from '../../books/landing/attributes.sql.ts';
import type { PricingType } from '../../core/offer.ts';
import { type ComparedOffer, comparedFields } from '../../core/offer-columns.ts';
import { columnList } from '../../database/column-lists.ts';
import type { Db } from '../../database/connection.ts';
import { joinNames, selectFields } from '../newest/offer-columns.sql.ts';

/** An offer of a book, from presence, price intervals and attributes. */
export interface BookRow extends ComparedOffer {
  listingId: number;
  gpuName: string;
  type: PricingType;
  /** null: the market lists no ids. */
  gpuIds: number[] | null;
}

const aliases = { listing: 'l', price: 'r', attribute: 'a' } as const;

/** Returns the book of a moment, or null if there is none. */
export async function findBookAt(
  db: Db,
  { scopeId, type }: { scopeId: number; type: PricingType },
  at: Date,
): Promise<{ id: number; observedAt: Date; verdict: 'complete' | 'partial' } | null> {
  const [row] = await db<{ id: number; observedAt: Date; verdict: 'complete' | 'partial' }[]>`
    select id, observed_at as "observedAt", verdict from book
    where scope_id = ${scopeId} and type = ${type}
      and observed_at >= ${at} and observed_at < ${at}::timestamptz + interval '1 millisecond'
    order by observed_at limit 1`;
  return row ?? null;
}

/**
 * Returns the offers that a book covers, by listing; of one model, or null for all. Their attributes are those in force
 * on the book's day, the first that the day's books stated; `newest`: those that the newest book states, as the rankings
 * have them.
 */
export async function readBookRows(
  db: Db,
  bookId: number,
  gpuName: string | null,
  attributesOf: 'day' | 'newest' = 'day',
): Promise<BookRow[]> {
  const newest = db`
    select ${columnList(db, attributeNames, { of: 'o' })} from latest_offer o
    where o.listing_id = l.id and o.scope_id = b.scope_id and o.book_id = b.id`;
  const ofDay = db`
    select ${columnList(db, attributeNames, { of: 'd' })} from listing_attribute d
    where d.listing_id = l.id and d.valid_until is not null
      and d.day <= (b.observed_at at time zone 'UTC')::date
      and d.valid_until > (b.observed_at at time zone 'UTC')::date`;
  return await db<BookRow[]>`
    select l.id as "listingId", m.name as "gpuName", l.type,
      ${selectFields(db, [...comparedFields, 'gpuIds'], aliases)}
    from book b
    join scope s on s.id = b.scope_id
    join presence p on p.scope_id = b.scope_id and p.first_at <= b.observed_at and p.last_at >= b.observed_at
    join listing l on l.id = p.listing_id and l.market_id = s.market_id and l.type = b.type
    join gpu_model m on m.id = l.gpu_model_id
    join price_interval r on r.listing_id = l.id and r.scope_id = b.scope_id
      and r.valid_from <= b.observed_at and r.valid_to > b.observed_at
    join lateral (${attributesOf === 'newest' ? newest : ofDay}) a on true
    ${joinNames(db, 'a')}
    where b.id = ${bookId} and ${gpuName === null ? db`true` : db`m.name = ${gpuName}`}
      and ${coversModel(db, db`l.gpu_model_id`)}
    order by l.id`;
}

/** A book in a range, and whether it covers the model (all models: is complete). */
export interface BucketBook {
  id: number;
  observedAt: Date;
  verdict: 'complete' | 'partial';
  reason: string | null;
  covers: boolean;
}

/** Books of one type and scope, for one model or (null) all. */
export interface ExplainedBooks {
  scopeId: number;
  type: PricingType;
  gpuName: string | null;
}

/** Returns the books of [from, to) in time order. */
export async function readBucketBooks(
  db: Db,
  { scopeId, type, gpuName }: ExplainedBooks,
  { from, to }: { from: Date; to: Date },
): Promise<BucketBook[]> {
  return await db<BucketBook[]>`
    select b.id, b.observed_at as "observedAt", b.verdict, b.reason,
      ${coversModelNamed(db, gpuName)} as covers
    from book b where b.scope_id = ${scopeId} and b.type = ${type}
      and b.observed_at >= ${from} and b.observed_at < ${to}
    order by b.observed_at`;
}
