import { date, foreignKey, integer, pgTable, primaryKey, smallint } from '../drizzle.ts';
import { bytes, gpuModel, pricingType, scope } from './market.ts';

/**
 * A past UTC day of a series whose prices by machine have been computed for verdicts. A cache, valid while no book of
 * that day or an earlier one has a higher id than `newest_book_id`.
 */
export const poolDay = pgTable(
  'pool_day',
  {
    scopeId: integer('scope_id')
      .notNull()
      .references(() => scope.id, { onDelete: 'cascade' }),
    type: pricingType().notNull(),
    day: date().notNull(),
    newestBookId: integer('newest_book_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.scopeId, t.type, t.day] })],
);

/** The prices of one model on that day, packed by `src/prices/verdicts/pool-day.ts`. */
export const poolDayModel = pgTable(
  'pool_day_model',
  {
    scopeId: integer('scope_id').notNull(),
    type: pricingType().notNull(),
    day: date().notNull(),
    gpuModelId: smallint('gpu_model_id')
      .notNull()
      .references(() => gpuModel.id, { onDelete: 'cascade' }),
    prices: bytes().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.scopeId, t.type, t.day, t.gpuModelId] }),
    foreignKey({
      columns: [t.scopeId, t.type, t.day],
      foreignColumns: [poolDay.scopeId, poolDay.type, poolDay.day],
    }).onDelete('cascade'),
  ],
);
