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

/** One attempt at reading a part of the market: what happened, with its certificate. */
export const crawl = pgTable(
  'crawl',
  {
    id: uuid().primaryKey(),
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    /** `offers`, `invoices`, `charges` or `instances`. */
    kind: text().notNull(),
    /** Of offers; the name of the kind for the others. */
    scopeName: text('scope_name').notNull(),
    type: pricingType(),
    /** What asked for it: cron, command, api, watch, import or seed. */
    cause: text().notNull(),
    /** The moment of the schedule that it is for; null: nobody's schedule. */
    tickAt: moment('tick_at'),
    /** The job that it is an attempt of; null: made outside the queue. */
    jobId: uuid('job_id'),
    /** The name of the imported file; null: it was no import, or one of an earlier version. */
    source: text(),
    startedAt: moment('started_at').notNull(),
    endedAt: moment('ended_at'),
    /** null while it runs. */
    outcome: text(),
    reason: text(),
    certificate: json(),
    /** The stored book; null: none came of it. */
    bookId: integer('book_id').references(() => book.id, { onDelete: 'set null' }),
  },
  (t) => [
    index('crawl_started').on(t.marketId, t.startedAt),
    index('crawl_series').on(t.marketId, t.kind, t.scopeName, t.type, t.startedAt),
    // Metrics count all runs there ever were from this index alone.
    index('crawl_outcomes').on(t.marketId, t.kind, t.scopeName, t.type, t.outcome),
    check('crawl_outcome', sql`${t.outcome} in ('complete', 'partial', 'failed', 'unchanged')`),
  ],
);

/** What all processes together may ask of one endpoint of a market: the count of grants, and who has to wait. */
export const requestBudget = pgTable(
  'request_budget',
  {
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    endpoint: text().notNull(),
    /** Grants ever given; the number of the last one. */
    granted: bigint({ mode: 'number' }).notNull().default(0),
    /** Throttled answers ever seen. */
    throttled: bigint({ mode: 'number' }).notNull().default(0),
    /** Crawls wait until then, since the market asked for fewer requests; null: it has not. */
    yieldUntil: moment('yield_until'),
    /** Crawls wait until then, since a person waits; null: nobody does. */
    personUntil: moment('person_until'),
  },
  (t) => [primaryKey({ columns: [t.marketId, t.endpoint] })],
);

/** When each of the last grants was given: the one that is `limit` before the next tells when that may come. */
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
