import { check, index, integer, numeric, pgTable, primaryKey, smallint, sql, text } from '../drizzle.ts';
import { json, moment, pricingType } from './market.ts';

/** When a seller's catalog was read; its prices hold until the next snapshot. */
export const catalogSnapshot = pgTable(
  'catalog_snapshot',
  {
    provider: text().notNull(),
    asOf: moment('as_of').notNull(),
    importedAt: moment('imported_at').notNull(),
    /** SHA-256 of its prices, hex. */
    contentHash: text('content_hash').notNull(),
    /** Rows of the file, without its header. */
    rows: integer().notNull(),
    /** Rows without a usable price, by reason. */
    leftOut: json('left_out').notNull(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.asOf] })],
);

/**
 * The list price of the cheapest machine of a kind, from one snapshot until another; infinity while the newest has it.
 * Intervals are as long as possible: neighbors differ in price or do not touch.
 */
export const catalogPrice = pgTable(
  'catalog_price',
  {
    provider: text().notNull(),
    /** The GPU as named in the catalog. */
    name: text().notNull(),
    /** The form stated in the row: `SXM`, `PCIE` or `NVL`; empty: none. */
    form: text().notNull(),
    /** As spelled in the catalog; may be empty. */
    region: text().notNull(),
    numGpus: smallint('num_gpus').notNull(),
    /** `bid` is the spot price. */
    type: pricingType().notNull(),
    validFrom: moment('valid_from').notNull(),
    validTo: moment('valid_to').notNull(),
    /** For the whole machine. */
    usdPerHour: numeric('usd_per_hour').notNull(),
  },
  (t) => [
    primaryKey({
      name: 'catalog_price_key',
      columns: [t.provider, t.name, t.form, t.region, t.numGpus, t.type, t.validFrom],
    }),
    index('catalog_price_end').on(t.type, t.validTo),
    check('catalog_price_positive', sql`${t.usdPerHour} > 0 and ${t.numGpus} > 0`),
  ],
);
