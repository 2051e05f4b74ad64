import {
  bigint,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  sql,
  text,
  uuid,
} from '../drizzle.ts';
import { book } from './book.ts';
import { json, market, moment, pricingType } from './market.ts';

/** One attempt to read a part of the market: what happened, with its certificate. */
export const crawl = pgTable(
  'crawl',
  {
    id: uuid().primaryKey(),
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    /** `offers`, `invoices`, `charges` or `instances`. */
    kind: text().notNull(),
    /** Pricing type of offers; the name of the kind for others. */
    scopeName: text('scope_name').notNull(),
    type: pricingType(),
    /** What started it: cron, command, api, watch, import or seed. */
    cause: text().notNull(),
    /** The scheduled moment that it is for; null: not scheduled. */
    tickAt: moment('tick_at'),
    /** The job that it is an attempt of; null: not from the queue. */
    jobId: uuid('job_id'),
    /** The name of the imported file; null: not an import, or one of an earlier version. */
    source: text(),
    startedAt: moment('started_at').notNull(),
    endedAt: moment('ended_at'),
    /** null while it runs. */
    outcome: text(),
    reason: text(),
    certificate: json(),
    /** The stored book; null: it produced none. */
    bookId: integer('book_id').references(() => book.id, { onDelete: 'set null' }),
  },
  (t) => [
    index('crawl_started').on(t.marketId, t.startedAt),
    index('crawl_series').on(t.marketId, t.kind, t.scopeName, t.type, t.startedAt),
    // Metrics count all crawls from this index alone.
    index('crawl_outcomes').on(t.marketId, t.kind, t.scopeName, t.type, t.outcome),
    // Deleting a book looks for its crawls.
    index('crawl_book').on(t.bookId).where(sql`${t.bookId} is not null`),
    check('crawl_outcome', sql`${t.outcome} in ('complete', 'partial', 'failed', 'unchanged')`),
  ],
);

/** The shared request budget of one endpoint of a market: the count of grants, and who has to wait. */
export const requestBudget = pgTable(
  'request_budget',
  {
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    endpoint: text().notNull(),
    /** Number of grants so far, which is the number of the last one. */
    granted: bigint({ mode: 'number' }).notNull().default(0),
    /** Throttled responses so far. */
    throttled: bigint({ mode: 'number' }).notNull().default(0),
    /** Crawls wait until then because the market throttled a request; null: they do not. */
    yieldUntil: moment('yield_until'),
    /** Crawls wait until then because a person waits; null: they do not. */
    personUntil: moment('person_until'),
  },
  (t) => [primaryKey({ columns: [t.marketId, t.endpoint] })],
);

/** When each of the last grants was given; the one `limit` grants earlier decides when the next is possible. */
export const requestGrant = pgTable(
  'request_grant',
  {
    marketId: integer('market_id').notNull(),
    endpoint: text().notNull(),
    number: bigint({ mode: 'number' }).notNull(),
    grantedAt: moment('granted_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.marketId, t.endpoint, t.number] }),
    foreignKey({
      columns: [t.marketId, t.endpoint],
      foreignColumns: [requestBudget.marketId, requestBudget.endpoint],
    }),
  ],
);
