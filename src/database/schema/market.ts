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
 * JSON that the driver reads and writes itself: the builder's own would encode it twice, and parse text that looks like
 * JSON.
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
    /** Before this time retention has dropped attribute days that only repeat; null: nowhere. */
    daysDroppedBefore: date('days_dropped_before'),
  },
  (t) => [
    unique('market_name').on(t.name),
    check('market_kind', sql`${t.kind} in ('live', 'simulated', 'recorded')`),
  ],
);

/**
 * What a book covers: `default` is the whole rentable market, `rented` the offers that cannot be rented now; others are
 * narrow, of a few GPU models.
 */
export const scope = pgTable(
  'scope',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    name: text().notNull(),
    /** Models that it is limited to, as the market names them; null: all. */
    gpuNames: text('gpu_names').array(),
    rentable: boolean().notNull().default(true),
    /** Hourly points are stored from here on, earlier ones are computed; null: all are stored. */
    hoursFrom: moment('hours_from'),
    /** How often books of it were deleted: a cached history is valid while this stays. */
    deletions: integer().notNull().default(0),
    /** false: points of days and weeks are computed until `offerbook rebuild` has stored them. */
    daysStored: boolean('days_stored').notNull().default(true),
  },
  (t) => [unique('scope_market_name').on(t.marketId, t.name)],
);

const dictionary = (name: string) =>
  pgTable(name, { id: smallint().primaryKey().generatedAlwaysAsIdentity(), name: text().notNull().unique() });

export const gpuModel = dictionary('gpu_model');
export const country = dictionary('country');
export const verificationTier = dictionary('verification_tier');
