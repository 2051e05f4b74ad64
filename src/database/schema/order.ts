import {
  bigint,
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

const marketNumber = (name: string) => bigint(name, { mode: 'number' });

/** A standing order: it rents machines when offers fit. Source: docs/meaning.md#standing-orders. */
export const standingOrder = pgTable(
  'standing_order',
  {
    id: uuid().primaryKey(),
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    name: text().notNull(),
    state: text().notNull(),
    /** Why it is in its state; null: a person put it there. */
    reason: text(),
    /** The kind of what an armed order waits for, and the same in words; null: it waits for a fitting offer. */
    waitingFor: text('waiting_for'),
    waitingReason: text('waiting_reason'),
    /** Machines wanted. */
    count: smallint().notNull(),
    endsAt: moment('ends_at').notNull(),
    /** null: no budget. */
    budgetUsd: numeric('budget_usd'),
    /** Alternatives in order of preference. */
    choices: json().notNull(),
    /** What is rented, without secrets, and with them encrypted; null: it has none. */
    request: json().notNull(),
    sealedRequest: text('sealed_request'),
    /** Empty: the channels of the first choice's watch. */
    channelIds: uuid('channel_ids').array().notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: moment('created_at').notNull(),
    /** null: never. */
    armedAt: moment('armed_at'),
    /** The dry run of the present fields; null: none, so that it cannot be armed. */
    dryRun: json('dry_run'),
    /** The books that had no fitting offer when they were last read; null: read them. */
    judgedBooks: text('judged_books'),
  },
  (t) => [
    unique('standing_order_name').on(t.marketId, t.name),
    index('standing_order_state').on(t.marketId, t.state),
    check(
      'standing_order_state',
      sql`${t.state} in ('draft', 'armed', 'paused', 'filled', 'expired', 'out-of-budget', 'failed')`,
    ),
  ],
);

/**
 * An attempt of an order to rent one machine. It is stored before the rent begins; its rental has the key
 * `order/<order id>/<attempt>`.
 */
export const standingOrderAttempt = pgTable(
  'standing_order_attempt',
  {
    orderId: uuid('order_id')
      .notNull()
      .references(() => standingOrder.id, { onDelete: 'cascade' }),
    /** From 1. */
    attempt: integer().notNull(),
    /** The index of its choice. */
    choice: smallint().notNull(),
    bookId: integer('book_id').notNull(),
    offerId: marketNumber('offer_id').notNull(),
    machineId: marketNumber('machine_id').notNull(),
    /** As the book lists it, with the order's disk. */
    usdPerHour: numeric('usd_per_hour').notNull(),
    /** The cap of the rent request. */
    maxUsdPerHour: numeric('max_usd_per_hour').notNull(),
    at: moment('at').notNull(),
    /** How often it was begun. */
    tries: smallint().notNull(),
    outcome: text().notNull(),
    reason: text(),
    /** The newest bid, $/hour of the whole machine without its disk, and when it was made; null: on demand. */
    bidUsdPerHour: numeric('bid_usd_per_hour'),
    bidAt: moment('bid_at'),
  },
  (t) => [
    primaryKey({ columns: [t.orderId, t.attempt] }),
    check(
      'standing_order_attempt_outcome',
      sql`${t.outcome} in ('open', 'held', 'rented', 'refused', 'not-rented', 'offer-gone', 'above-price',
        'not-rentable', 'given-up')`,
    ),
  ],
);
