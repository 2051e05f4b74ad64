import { coveredModels, coversModel } from '../../books/covered-books.sql.ts';
import type { PricingType } from '../../core/offer.ts';
import { type ComparedOffer, comparedFields } from '../../core/offer-columns.ts';
import type { Db } from '../../database/connection.ts';
import { joinNames, selectFields } from '../../prices/newest/offer-columns.sql.ts';

/**
 * An offer as rules see it in one book: the book's prices, and the attributes of its UTC day. null: the market did not
 * state it.
 */
export interface RuleOffer extends ComparedOffer {
  listingId: number;
  /** null: not requested, or no longer known. */
  offerId: number | null;
  gpuName: string;
  type: PricingType;
  /** Missing in this book, and not yet gone. */
  missing: boolean;
}

/** A book that is complete, entirely or for some models. */
export interface RuleBook {
  id: number;
  scopeId: number;
  type: PricingType;
  observedAt: Date;
  /** Models with a complete slice; null: all. */
  gpuNames: readonly string[] | null;
}

const aliases = { listing: 'l', price: 'r', attribute: 'a' } as const;

const goneMinutes = 15;

/** Returns the books of a scope in [from, to) that are complete, entirely or for some models, oldest first. */
export async function listRuleBooks(
  db: Db,
  ask: { scopeIds: readonly number[]; types: readonly PricingType[]; from: Date; to: Date },
): Promise<RuleBook[]> {
  return await db<RuleBook[]>`
    select b.id, b.scope_id as "scopeId", b.type, b.observed_at as "observedAt", ${coveredModels(db)} as "gpuNames"
    from book b
    where b.scope_id = any(${[...ask.scopeIds]}::int[]) and b.type = any(${[...ask.types]}::text[]::pricing_type[])
      and b.observed_at >= ${ask.from} and b.observed_at < ${ask.to}
      and ${coversModel(db, null)}
    order by b.observed_at, b.id`;
}

/**
 * A listing last seen at this moment or later is missing but not gone in a book.
 * Source: docs/meaning.md#gone-and-episodes.
 */
export const missingFrom = (observedAt: Date, previous: Date | null): Date =>
  new Date(
    Math.min(
      previous?.getTime() ?? Number.POSITIVE_INFINITY,
      observedAt.getTime() - goneMinutes * 60_000 + 1,
    ),
  );

/** Returns the newest complete book of each series at or before a moment. */
export async function newestRuleBooks(
  db: Db,
  ask: { scopeIds: readonly number[]; types: readonly PricingType[]; upTo: Date },
): Promise<(RuleBook & { previousAt: Date | null })[]> {
  return await db<(RuleBook & { previousAt: Date | null })[]>`
    select b.id, s.id as "scopeId", t.type, b.observed_at as "observedAt", b."gpuNames",
      (select p.observed_at from book p where p.scope_id = s.id and p.type = t.type
        and p.observed_at < b.observed_at and p.verdict = 'complete'
        order by p.observed_at desc limit 1) as "previousAt"
    from unnest(${[...ask.scopeIds]}::int[]) s(id)
    cross join unnest(${[...ask.types]}::text[]::pricing_type[]) t(type)
    cross join lateral (
      select b.id, b.observed_at, ${coveredModels(db)} as "gpuNames"
      from book b where b.scope_id = s.id and b.type = t.type and b.observed_at <= ${ask.upTo}
        and ${coversModel(db, null)}
      order by b.observed_at desc limit 1) b`;
}

/** Returns offers of a book, and those missing in it that are not yet gone; only of these models, null: of all. */
export async function readRuleOffers(
  db: Db,
  book: Pick<RuleBook, 'scopeId' | 'type' | 'observedAt'>,
  missingSince: Date,
  gpuNames: readonly string[] | null = null,
): Promise<RuleOffer[]> {
  const at = book.observedAt;
  const rows = await db<RuleOffer[]>`
    select l.id as "listingId", o.offer_id as "offerId", g.name as "gpuName", l.type,
      ${selectFields(db, comparedFields, aliases)},
      p.last_at < ${at} as missing
    from presence p
    join listing l on l.id = p.listing_id and l.type = ${book.type}
    join gpu_model g on g.id = l.gpu_model_id
    join price_interval r on r.listing_id = l.id and r.scope_id = p.scope_id
      and r.valid_from <= ${at} and r.valid_to > ${at}
    join listing_attribute a on a.listing_id = l.id and a.valid_until is not null
      and a.day <= (${at}::timestamptz at time zone 'UTC')::date
      and a.valid_until > (${at}::timestamptz at time zone 'UTC')::date
    ${joinNames(db, 'a')}
    left join latest_offer o on o.listing_id = l.id and o.scope_id = p.scope_id and o.from_complete_book
    where p.scope_id = ${book.scopeId} and p.first_at <= ${at} and p.last_at >= ${missingSince}
      and ${gpuNames === null ? db`true` : db`g.name = any(${[...gpuNames]}::text[])`}
    order by l.id, p.last_at desc`;
  // A listing that has returned has two presence intervals; the later one is the book's.
  return rows.filter((row, index) => rows[index - 1]?.listingId !== row.listingId);
}

/** An interval in which an offer was listed with the same prices and attributes. */
export interface OfferSpan extends Omit<RuleOffer, 'missing'> {
  scopeId: number;
  /** ms; the last book that contained it. */
  firstAt: number;
  lastAt: number;
  /** Start (inclusive) and end (exclusive) of its prices and attributes, ms. */
  validFrom: number;
  validTo: number;
}

/** Returns all such intervals of some models and types that overlap [from, to); null: of all models. */
export async function readOfferSpans(
  db: Db,
  ask: {
    scopeIds: readonly number[];
    types: readonly PricingType[];
    gpuNames: readonly string[] | null;
    from: Date;
    to: Date;
  },
): Promise<OfferSpan[]> {
  const { from, to } = ask;
  const ms = (moment: unknown) => db`case when ${moment as never} = 'infinity' then 8640000000000000
    else (extract(epoch from ${moment as never}) * 1000)::float8 end`;
  return await db<OfferSpan[]>`
    select l.id as "listingId", o.offer_id as "offerId", g.name as "gpuName", l.type,
      ${selectFields(db, comparedFields, aliases)},
      p.scope_id as "scopeId", ${ms(db`p.first_at`)} as "firstAt", ${ms(db`p.last_at`)} as "lastAt",
      ${ms(db`greatest(r.valid_from, a.day::timestamp at time zone 'UTC')`)} as "validFrom",
      ${ms(db`least(r.valid_to, a.valid_until::timestamp at time zone 'UTC')`)} as "validTo"
    from listing l
    join gpu_model g on g.id = l.gpu_model_id
    join presence p on p.listing_id = l.id and p.scope_id = any(${[...ask.scopeIds]}::int[])
      and p.first_at < ${to} and p.last_at >= ${from}
    join price_interval r on r.listing_id = l.id and r.scope_id = p.scope_id
      and r.valid_from < ${to} and r.valid_to > ${from} and r.valid_from <= p.last_at and r.valid_to > p.first_at
    -- While an offer is missing and not yet gone a book of another scope may have seen it on the next day.
    join listing_attribute a on a.listing_id = l.id and a.valid_until is not null
      and a.day < r.valid_to and a.valid_until > r.valid_from
      and a.day <= (p.last_at at time zone 'UTC' + interval '2 days')::date
      and a.valid_until > (p.first_at at time zone 'UTC')::date
      and a.day <= (${to}::timestamptz at time zone 'UTC')::date
      and a.valid_until > (${from}::timestamptz at time zone 'UTC')::date
    ${joinNames(db, 'a')}
    left join latest_offer o on o.listing_id = l.id and o.scope_id = p.scope_id and o.from_complete_book
    where l.type = any(${[...ask.types]}::text[]::pricing_type[])
      and exists (select from scope s where s.id = p.scope_id and s.market_id = l.market_id)
      and ${ask.gpuNames === null ? db`true` : db`g.name = any(${[...ask.gpuNames]}::text[])`}`;
}
