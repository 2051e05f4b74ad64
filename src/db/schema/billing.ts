import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { market, moment } from './market.ts';

const kind = () => text().notNull();

/**
 * One reading of all pages of a window of invoices or charges. While it is open its token survives a restart;
 * complete ones decide what has disappeared.
 */
export const billingReading = pgTable(
  'billing_reading',
  {
    id: uuid().primaryKey(),
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    kind: kind(),
    /** Window asked for, first included, last not; null: from the beginning, and open to the end. */
    fromAt: moment('from_at'),
    toAt: moment('to_at'),
    startedAt: moment('started_at').notNull(),
    endedAt: moment('ended_at'),
    /** `open`, `complete`, `partial` or `failed`. */
    state: text().notNull(),
    reason: text(),
    /** What the next page is asked with; null: it is the first, or there is none. */
    nextToken: text('next_token'),
    pages: integer().notNull().default(0),
    rows: integer().notNull().default(0),
    /** `total` of the first answer and of the last; null: not said. */
    firstTotal: integer('first_total'),
    lastTotal: integer('last_total'),
    certificate: jsonb().notNull(),
  },
  (t) => [
    index('billing_reading_started').on(t.marketId, t.kind, t.startedAt),
    check('billing_reading_kind', sql`${t.kind} in ('invoice', 'charge')`),
    check('billing_reading_state', sql`${t.state} in ('open', 'complete', 'partial', 'failed')`),
  ],
);

/** Rows of an open reading, until it ends and they are merged. */
export const billingStaged = pgTable(
  'billing_staged',
  {
    readingId: uuid('reading_id')
      .notNull()
      .references(() => billingReading.id, { onDelete: 'cascade' }),
    /** Place in the reading, from 1. */
    position: integer().notNull(),
    page: integer().notNull(),
    identity: text().notNull(),
    contentHash: text('content_hash').notNull(),
    entry: jsonb().notNull(),
    raw: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.readingId, t.position] })],
);

/** An invoice or a charge, whatever its other fields have become. Source: semantics.md, Spend. */
export const billingEntry = pgTable(
  'billing_entry',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    kind: kind(),
    /** The fields that make it the same entry, as JSON text. */
    identity: text().notNull(),
    /** Its place among entries of equal identity, from 1. */
    ordinal: smallint().notNull(),
    startAt: moment('start_at').notNull(),
    firstSeenAt: moment('first_seen_at').notNull(),
    lastSeenAt: moment('last_seen_at').notNull(),
    /** Complete readings of its window in a row that did not have it. */
    missedReadings: smallint('missed_readings').notNull().default(0),
    /** After two of them; null: it is there. */
    disappearedAt: moment('disappeared_at'),
  },
  (t) => [
    unique('billing_entry_identity').on(t.marketId, t.kind, t.identity, t.ordinal),
    index('billing_entry_start').on(t.marketId, t.kind, t.startAt),
    check('billing_entry_kind', sql`${t.kind} in ('invoice', 'charge')`),
  ],
);

/** What an entry said from one reading until another saw it changed; infinity: it still does. */
export const billingVersion = pgTable(
  'billing_version',
  {
    entryId: bigint('entry_id', { mode: 'number' })
      .notNull()
      .references(() => billingEntry.id),
    seenFrom: moment('seen_from').notNull(),
    seenTo: moment('seen_to').notNull(),
    contentHash: text('content_hash').notNull(),
    startAt: moment('start_at').notNull(),
    /** null: open, or unpaid. */
    endAt: moment('end_at'),
    type: text(),
    source: text(),
    service: text(),
    description: text(),
    invoiceId: bigint('invoice_id', { mode: 'number' }),
    instanceId: bigint('instance_id', { mode: 'number' }),
    label: text(),
    templateId: bigint('template_id', { mode: 'number' }),
    /** US dollars exactly as delivered, sign included. */
    amountUsd: numeric('amount_usd').notNull(),
    raw: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.entryId, t.seenFrom] })],
);

/** The lines of a charge, by version. */
export const billingItem = pgTable(
  'billing_item',
  {
    entryId: bigint('entry_id', { mode: 'number' }).notNull(),
    seenFrom: moment('seen_from').notNull(),
    /** Place in the entry, from 1. */
    position: smallint().notNull(),
    type: text(),
    description: text(),
    startAt: moment('start_at'),
    endAt: moment('end_at'),
    amountUsd: numeric('amount_usd').notNull(),
  },
  (t) => [primaryKey({ columns: [t.entryId, t.seenFrom, t.position] })],
);
