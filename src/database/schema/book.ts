import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  pgTable,
  smallint,
  sql,
  text,
  unique,
} from '../drizzle.ts';
import { gpuModel, json, moment, pricingType, scope } from './market.ts';

const verdict = () => text().notNull();

/** All offers of one scope and pricing type at one moment: the header; its offers are in listings and presence. */
export const book = pgTable(
  'book',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    scopeId: integer('scope_id')
      .notNull()
      .references(() => scope.id),
    type: pricingType().notNull(),
    observedAt: moment('observed_at').notNull(),
    startedAt: moment('started_at').notNull(),
    verdict: verdict(),
    /** Why it is not complete; null if it is. */
    reason: text(),
    /** `proved` by crawling or `declared` by an importer. */
    proof: text().notNull(),
    /** Multiset hash of the offers' content: tells whether two books are the same. */
    contentHash: text('content_hash').notNull(),
    offers: integer().notNull(),
    allocatedStorageGb: doublePrecision('allocated_storage_gb').notNull(),
    certificate: json().notNull(),
    /** false: retention has dropped its points, which are computed on request. */
    hasPoints: boolean('has_points').notNull().default(true),
  },
  (t) => [
    unique('book_moment').on(t.scopeId, t.type, t.observedAt),
    // Few books match: in a year of books this index finds them without reading the others.
    index('book_partial').on(t.scopeId, t.type, t.observedAt).where(sql`${t.verdict} = 'partial'`),
    check('book_verdict', sql`${t.verdict} in ('complete', 'partial')`),
    check('book_proof', sql`${t.proof} in ('proved', 'declared')`),
  ],
);

/** A part of a book with its own verdict; without a model it covers all models that have no slice. */
export const bookSlice = pgTable(
  'book_slice',
  {
    bookId: integer('book_id')
      .notNull()
      .references(() => book.id, { onDelete: 'cascade' }),
    gpuModelId: smallint('gpu_model_id').references(() => gpuModel.id),
    verdict: verdict(),
    reason: text(),
    offers: integer().notNull(),
  },
  (t) => [
    unique('book_slice_model').on(t.bookId, t.gpuModelId).nullsNotDistinct(),
    check('book_slice_verdict', sql`${t.verdict} in ('complete', 'partial')`),
  ],
);
