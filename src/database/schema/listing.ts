import { type FieldsWith, fieldEntries, type StoredField } from '../../core/offer-fields.ts';
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  sql,
  text,
  unique,
} from '../drizzle.ts';
import { moment, pricingType } from './market.ts';

const marketNumber = (name: string) => bigint(name, { mode: 'number' });

/** The stable identity of an offer while offer ids change: a machine's place in the market. */
export const listing = pgTable(
  'listing',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    marketId: integer('market_id').notNull(),
    machineId: marketNumber('machine_id').notNull(),
    gpuModelId: smallint('gpu_model_id').notNull(),
    numGpus: smallint('num_gpus').notNull(),
    type: pricingType().notNull(),
    /** Place among the offers that share all other fields, by (base price, offer id), from 1. */
    ordinal: smallint().notNull(),
  },
  (t) => [unique('listing_key').on(t.marketId, t.type, t.gpuModelId, t.machineId, t.numGpus, t.ordinal)],
);

/**
 * Intervals of consecutive covering books that contained the listing. `last_at` is the last such book, or infinity
 * while the newest covering book contains it, so that nothing is written while nothing changes.
 */
export const presence = pgTable(
  'presence',
  {
    listingId: integer('listing_id').notNull(),
    scopeId: integer('scope_id').notNull(),
    firstAt: moment('first_at').notNull(),
    lastAt: moment('last_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.listingId, t.scopeId, t.firstAt] }),
    index('presence_last').on(t.scopeId, t.lastAt),
  ],
);

const makers = {
  bigint: marketNumber,
  smallint: (name: string) => smallint(name),
  integer: (name: string) => integer(name),
  float8: (name: string) => doublePrecision(name),
  text: (name: string) => text(name),
  boolean: (name: string) => boolean(name),
  name: (name: string) => smallint(name),
  'bigint[]': (name: string) => marketNumber(name).array(),
};

/** Columns of the fields that are stored in one place. */
function columnsOf<Of extends StoredField['of']>(wanted: Of) {
  const fields = fieldEntries.filter(([, { of }]) => of === wanted);
  const columns = fields.map(([name, { column, type, isNeverNull, dictionary }]) => {
    const made = makers[type](column);
    return [dictionary === undefined ? name : `${name}Id`, isNeverNull ? made.notNull() : made];
  });
  return Object.fromEntries(columns) as Record<FieldsWith<{ of: Of }>, ReturnType<(typeof makers)['float8']>>;
}

const priceColumns = columnsOf('price');
const attributeColumns = columnsOf('attribute');

/** Price components from one book until the listing's next price interval; infinity for the last one. */
export const priceInterval = pgTable(
  'price_interval',
  {
    listingId: integer('listing_id').notNull(),
    scopeId: integer('scope_id').notNull(),
    validFrom: moment('valid_from').notNull(),
    validTo: moment('valid_to').notNull(),
    ...priceColumns,
  },
  (t) => [
    primaryKey({ columns: [t.listingId, t.scopeId, t.validFrom] }),
    index('price_interval_end').on(t.scopeId, t.validTo),
  ],
);

/**
 * Slow attributes by UTC day, from the day's first complete book. Rows with `valid_until` apply from `day` to before
 * it; rows without repeat the current row, within the thresholds, and are kept so that books give the same rows in any
 * order.
 */
export const listingAttribute = pgTable(
  'listing_attribute',
  {
    listingId: integer('listing_id').notNull(),
    day: date().notNull(),
    validUntil: date('valid_until'),
    observedAt: moment('observed_at').notNull(),
    ...attributeColumns,
  },
  (t) => [
    primaryKey({ columns: [t.listingId, t.day] }),
    // Most rows of the last weeks repeat: without this index reading a range reads them all.
    index('listing_attribute_in_force').on(t.listingId, t.validUntil).where(sql`${t.validUntil} is not null`),
  ],
);

/**
 * The newest offer of each listing and scope as columns, and the place of its record; one from complete and one from
 * partial books, so that a partial book never hides what a complete one said.
 */
export const latestOffer = pgTable(
  'latest_offer',
  {
    listingId: integer('listing_id').notNull(),
    scopeId: integer('scope_id').notNull(),
    fromCompleteBook: boolean('from_complete_book').notNull(),
    bookId: integer('book_id').notNull(),
    observedAt: moment('observed_at').notNull(),
    offerId: marketNumber('offer_id').notNull(),
    ...priceColumns,
    ...attributeColumns,
    ...columnsOf('newest'),
    /** Page of the offer's original record. */
    page: integer().notNull(),
    /** Position on that page, from 1. */
    place: smallint().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.listingId, t.scopeId, t.fromCompleteBook] }),
    index('latest_offer_record').on(t.bookId, t.page),
  ],
);

/**
 * Records of a book as delivered, JSON text, kept while one of them is a listing's newest. Many per row: records repeat
 * the same words, and together they take a third of the space.
 */
export const recordPage = pgTable(
  'record_page',
  {
    bookId: integer('book_id').notNull(),
    page: integer().notNull(),
    records: text().array().notNull(),
  },
  (t) => [primaryKey({ columns: [t.bookId, t.page] })],
);
