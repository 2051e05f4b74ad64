import { pricingTypes } from '../../core/offer.ts';
import {
  boolean,
  check,
  customType,
  date,
  integer,
  pgEnum,
  pgTable,
  smallint,
  sql,
  text,
  timestamp,
  unique,
} from '../drizzle.ts';

/** Every moment is UTC with microseconds. */
export const moment = (name: string) => timestamp(name, { withTimezone: true });

/**
 * JSON that the driver writes and reads itself: the builder's own would be encoded twice, and would take a text that
 * looks like JSON for what it looks like.
 */
export const json = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: (value) => ({ toJSON: () => value }),
});

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const pricingType = pgEnum('pricing_type', pricingTypes);

export const market = pgTable(
  'market',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    name: text().notNull(),
    kind: text().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Before it retention has dropped the days of attributes that only repeat; null: nowhere. */
    daysDroppedBefore: date('days_dropped_before'),
  },
  (t) => [
    unique('market_name').on(t.name),
    check('market_kind', sql`${t.kind} in ('live', 'simulated', 'recorded')`),
  ],
);

/**
 * What a book covers: `default` is the whole rentable market, `rented` what cannot be rented now, others are
 * narrow ones, of a few GPU models.
 */
export const scope = pgTable(
  'scope',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    name: text().notNull(),
    /** The market's names of the models that it is narrowed to; null: all. */
    gpuNames: text('gpu_names').array(),
    rentable: boolean().notNull().default(true),
    /** From it on the points of hours are stored, earlier ones are computed; null: all are stored. */
    hoursFrom: moment('hours_from'),
    /** How often books of it were deleted: what is kept of its history in memory holds while this stands. */
    deletions: integer().notNull().default(0),
    /** false: points of days and weeks are computed until `offerbook rebuild` has made them. */
    daysStored: boolean('days_stored').notNull().default(true),
  },
  (t) => [unique('scope_market_name').on(t.marketId, t.name)],
);

const dictionary = (name: string) =>
  pgTable(name, { id: smallint().primaryKey().generatedAlwaysAsIdentity(), name: text().notNull().unique() });

export const gpuModel = dictionary('gpu_model');
export const country = dictionary('country');
export const verificationTier = dictionary('verification_tier');
