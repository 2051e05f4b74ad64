import {
  boolean,
  date,
  doublePrecision,
  integer,
  pgTable,
  primaryKey,
  smallint,
  unique,
} from '../drizzle.ts';
import { bytes, moment, pricingType, scope } from './market.ts';

/** What a row of statistics is about: all offers of a series, a model, or a model's segment. */
export const pointCell = pgTable(
  'point_cell',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    scopeId: integer('scope_id')
      .notNull()
      .references(() => scope.id, { onDelete: 'cascade' }),
    type: pricingType().notNull(),
    /** 0: all models. */
    gpuModelId: smallint('gpu_model_id').notNull(),
    /** 0: all counts; with a tier of 0 this is level A, else level B. */
    numGpus: smallint('num_gpus').notNull(),
    /** 0: all tiers; -1: the market did not state it. */
    verificationTierId: smallint('verification_tier_id').notNull(),
  },
  (t) => [unique('point_cell_key').on(t.scopeId, t.type, t.gpuModelId, t.numGpus, t.verificationTierId)],
);

/**
 * One cell of statistics at one moment. Prices are `usdPerGpuHour` with the listed storage; supply is the sum over the
 * complete books, so that it stays exact. Wide columns first, so that no row is padded.
 */
const pointColumns = () => ({
  /** The moment of a book, or the start of the bucket. */
  t: moment('t').notNull(),
  /** null: no offer had a price. */
  min: doublePrecision(),
  p10: doublePrecision(),
  p25: doublePrecision(),
  median: doublePrecision(),
  p75: doublePrecision(),
  p90: doublePrecision(),
  max: doublePrecision(),
  cellId: integer('cell_id').notNull(),
  /** Number of complete books. */
  books: integer().notNull(),
  /** Number of prices. */
  observations: integer().notNull(),
  offers: integer().notNull(),
  gpus: integer().notNull(),
  machines: integer().notNull(),
  physicalGpus: integer('physical_gpus').notNull(),
  physicalGpusIsLowerBound: boolean('physical_gpus_is_lower_bound').notNull(),
});

/**
 * Partitioned by month of `t`: src/database/month-partitions.ts creates the months, retention drops them. The key has
 * 16 bytes: up to that, PostgreSQL fills its pages although every cell grows at its own end, else only half of them.
 */
const pointTable = <T extends string>(name: T) =>
  pgTable(name, pointColumns(), (t) => [primaryKey({ name: `${name}_cell`, columns: [t.cellId, t.t] })]);

/** Statistics of single books, levels A and B. */
export const bookPoint = pointTable('book_point');
/** Statistics of UTC hours, level A. */
export const hourPoint = pointTable('hour_point');
/** Statistics of UTC days, levels A and B. */
export const dayPoint = pointTable('day_point');
/** Statistics of weeks from Monday, levels A and B. */
export const weekPoint = pointTable('week_point');

/** How many books a series has on a UTC day: coverage of long ranges without reading the books. */
export const bookDay = pgTable(
  'book_day',
  {
    scopeId: integer('scope_id').notNull(),
    type: pricingType().notNull(),
    day: date().notNull(),
    books: integer().notNull(),
    complete: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.scopeId, t.type, t.day] })],
);

const modelDay = () => ({
  scopeId: integer('scope_id')
    .notNull()
    .references(() => scope.id, { onDelete: 'cascade' }),
  type: pricingType().notNull(),
  gpuModelId: smallint('gpu_model_id').notNull(),
  day: date().notNull(),
});

/**
 * The like-for-like index of a model on a UTC day: its level relative to those of earlier days of its window, as
 * differences of logs. Levels are derived when they are read, so that a late book changes only the windows it is in.
 */
export const indexDay = pgTable(
  'index_day',
  {
    ...modelDay(),
    /** Days since the last comparable day; null: the index restarts. */
    movementDays: smallint('movement_days'),
    movement: doublePrecision(),
    /** null: fewer than 3 hosts. */
    movementError: doublePrecision('movement_error'),
    /** Change over 7 and over 27 days, give or take one. */
    weekDays: smallint('week_days'),
    week: doublePrecision(),
    weekError: doublePrecision('week_error'),
    monthDays: smallint('month_days'),
    month: doublePrecision(),
    monthError: doublePrecision('month_error'),
    /** Listings seen on two or more days that determine the level, with their machines and hosts. */
    listings: integer().notNull(),
    machines: integer().notNull(),
    hosts: integer().notNull(),
    observations: integer().notNull(),
    /** In the window: indistinguishable listings, and prices of 0 or less. */
    listingsLeftOut: integer('listings_left_out').notNull(),
    pricesLeftOut: integer('prices_left_out').notNull(),
    /** Hosts' contributions to the movement's error, packed by `pack-influences.ts`; null: unknown. */
    hostInfluences: bytes('host_influences'),
  },
  (t) => [primaryKey({ columns: [t.scopeId, t.type, t.gpuModelId, t.day] })],
);

/**
 * A model's listings on a UTC day as the index uses them, packed by `src/prices/index/pack-observations.ts`. A cache:
 * missing days are recomputed. Model 0, with no bytes, marks a computed day.
 */
export const indexObservation = pgTable(
  'index_observation',
  { ...modelDay(), observations: bytes().notNull() },
  (t) => [primaryKey({ columns: [t.scopeId, t.type, t.gpuModelId, t.day] })],
);
