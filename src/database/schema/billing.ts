import {
  bigint,
  boolean,
  check,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  sql,
  text,
  unique,
  uuid,
} from '../drizzle.ts';
import { json, market, moment } from './market.ts';

const kind = () => text().notNull();

/**
 * One sync of all pages of a window of invoices or charges. While it is open, its position survives a restart; complete
 * ones decide what has disappeared.
 */
export const billingSync = pgTable(
  'billing_sync',
  {
    id: uuid().primaryKey(),
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    kind: kind(),
    /** Requested window, start inclusive, end exclusive; null: unbounded. */
    fromAt: moment('from_at'),
    toAt: moment('to_at'),
    startedAt: moment('started_at').notNull(),
    /** When its last page was stored. */
    advancedAt: moment('advanced_at').notNull(),
    /** The moment of all its changes; null while it is open. */
    endedAt: moment('ended_at'),
    /** `open`, `complete`, `partial` or `failed`. */
    state: text().notNull(),
    reason: text(),
    /** Whether it received every row of its window, readable or not. */
    whole: boolean().notNull().default(false),
    /** Counts every change, so that only one of two processes makes the next. */
    turn: integer().notNull().default(0),
    /** Stored pages. */
    pages: integer().notNull().default(0),
    /** Rows of the responses that it is based on, readable or not. */
    rows: integer().notNull().default(0),
    /** `total` of the first response and of the last; null: not stated. */
    firstTotal: integer('first_total'),
    lastTotal: integer('last_total'),
    /** The position of the sync: the request of the next page. */
    walk: json().notNull(),
    certificate: json().notNull(),
  },
  (t) => [
    index('billing_sync_started').on(t.marketId, t.kind, t.startedAt),
    check('billing_sync_kind', sql`${t.kind} in ('invoice', 'charge')`),
    check('billing_sync_state', sql`${t.state} in ('open', 'complete', 'partial', 'failed')`),
  ],
);

/** Rows of an open sync, until it ends and they are merged; for a charge one row per item. */
export const billingStaged = pgTable(
  'billing_staged',
  {
    syncId: uuid('sync_id')
      .notNull()
      .references(() => billingSync.id, { onDelete: 'cascade' }),
    /** Number of the page in the sync, from 1. */
    page: integer().notNull(),
    /** Position in the page, from 1. */
    place: integer().notNull(),
    /** 1: pages of the whole window; 2: of its parts, read again. */
    round: smallint().notNull(),
    /** Why it could not be read; null: it was read, and all following columns are set. */
    rejected: text(),
    identity: text(),
    contentHash: text('content_hash'),
    startAt: moment('start_at'),
    entry: json(),
    raw: text(),
  },
  (t) => [
    primaryKey({ columns: [t.syncId, t.page, t.place] }),
    index('billing_staged_start').on(t.syncId, t.round, t.startAt),
  ],
);

/** An invoice or an item of a charge, identified by the fields that never change. Source: docs/meaning.md#bills. */
export const billingEntry = pgTable(
  'billing_entry',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    kind: kind(),
    /** The fields that identify the entry, as JSON text. */
    identity: text().notNull(),
    /** The entry's place among entries of equal identity, from 1. */
    ordinal: integer().notNull(),
    startAt: moment('start_at').notNull(),
    firstSeenAt: moment('first_seen_at').notNull(),
    lastSeenAt: moment('last_seen_at').notNull(),
    /** Number of complete syncs of its window in a row that lacked it. */
    missedReadings: smallint('missed_readings').notNull().default(0),
    /** Set after two of them; null: it is listed. */
    disappearedAt: moment('disappeared_at'),
  },
  (t) => [
    unique('billing_entry_identity').on(t.marketId, t.kind, t.identity, t.ordinal),
    index('billing_entry_start').on(t.marketId, t.kind, t.startAt),
    index('billing_entry_missed')
      .on(t.marketId, t.kind, t.startAt)
      .where(sql`${t.missedReadings} > 0 and ${t.disappearedAt} is null`),
    check('billing_entry_kind', sql`${t.kind} in ('invoice', 'charge')`),
  ],
);

/**
 * The content of an entry from the sync that first saw it until one saw it changed or gone; infinity: current. Between
 * two versions that do not meet, the entry had disappeared.
 */
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
    /** Only of invoices. */
    service: text(),
    description: text(),
    invoiceId: bigint('invoice_id', { mode: 'number' }),
    /** Only of charges, like all that follows except the amount and `raw`. */
    instanceId: bigint('instance_id', { mode: 'number' }),
    label: text(),
    templateId: bigint('template_id', { mode: 'number' }),
    /** `gpu`, `disk`, `bwd`, `bwu`, others as delivered; null: a charge without items. */
    itemType: text('item_type'),
    itemDescription: text('item_description'),
    itemStartAt: moment('item_start_at'),
    itemEndAt: moment('item_end_at'),
    /** US dollars of the invoice or the item, exactly as delivered, with its sign. */
    amountUsd: numeric('amount_usd').notNull(),
    /** US dollars of the whole charge as delivered; null: an invoice. */
    chargeUsd: numeric('charge_usd'),
    raw: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.entryId, t.seenFrom] }),
    index('billing_version_current').on(t.entryId).where(sql`${t.seenTo} = 'infinity'`),
    index('billing_version_instance').on(t.instanceId).where(sql`${t.instanceId} is not null`),
    // The start of an entry; its statistics also tell the planner how many entries a range has.
    index('billing_version_begins').on(sql`coalesce(${t.itemStartAt}, ${t.startAt})`),
    index('billing_version_past').on(t.seenTo).where(sql`${t.seenTo} < 'infinity'`),
  ],
);
