import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  sql,
  text,
  unique,
  uuid,
} from '../drizzle.ts';
import { json, market, moment, pricingType, scope } from './market.ts';
import { watch } from './watch.ts';

/** Where notices go. The secret is encrypted with SECRETS_KEY; no other column contains what it opens. */
export const channel = pgTable(
  'channel',
  {
    id: uuid().primaryKey(),
    kind: text().notNull(),
    name: text().notNull(),
    config: json().notNull(),
    secret: text(),
    /** Why nothing is sent to it any more; null: it is on. */
    offReason: text('off_reason'),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [unique('channel_name').on(t.name)],
);

/** The key pair by which push services of browsers know this Offerbook; the private key is encrypted with SECRETS_KEY. */
export const pushKey = pgTable(
  'push_key',
  {
    id: smallint().primaryKey().default(1),
    publicKey: text('public_key').notNull(),
    privateKey: text('private_key').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [check('push_key_single', sql`${t.id} = 1`)],
);

/**
 * The outbox and its history: one notice for one channel. A channel's notices are sent in the order of `place`, each
 * after the previous one was sent, refused or failed.
 */
export const delivery = pgTable(
  'delivery',
  {
    id: uuid().primaryKey(),
    place: bigint({ mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    channelId: uuid('channel_id')
      .notNull()
      .references(() => channel.id, { onDelete: 'cascade' }),
    /** The notice as JSON text, which the channel renders. */
    notice: text().notNull(),
    kind: text().notNull(),
    title: text().notNull(),
    watchId: uuid('watch_id'),
    ruleId: uuid('rule_id'),
    state: text().notNull().default('queued'),
    attempts: smallint().notNull().default(0),
    createdAt: moment('created_at').notNull(),
    firstAttemptAt: moment('first_attempt_at'),
    nextAttemptAt: moment('next_attempt_at').notNull(),
    /** When somebody last had it sent again after it had ended; null: never. */
    replayedAt: moment('replayed_at'),
    /** When it was sent, refused or failed. */
    endedAt: moment('ended_at'),
    /** Why the last attempt failed. */
    problem: text(),
  },
  (t) => [
    index('delivery_queued').on(t.channelId, t.place).where(sql`state = 'queued'`),
    index('delivery_newest').on(t.createdAt),
    check('delivery_state', sql`${t.state} in ('queued', 'sent', 'refused', 'failed')`),
  ],
);

/** What fires an alert: a price rule of a watch, or a rule on events of a market. */
export const rule = pgTable(
  'rule',
  {
    id: uuid().primaryKey(),
    /** Of a rule of a watch the first of the watch's markets. */
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    /** null: a rule on events of the market. */
    watchId: uuid('watch_id').references(() => watch.id, { onDelete: 'cascade' }),
    kind: text().notNull(),
    params: json().notNull(),
    m: smallint().notNull(),
    n: smallint().notNull(),
    hysteresisPercent: doublePrecision('hysteresis_percent').notNull(),
    cooldownMinutes: integer('cooldown_minutes').notNull(),
    rearm: json().notNull(),
    /** null: none. */
    quietHours: json('quiet_hours'),
    dailyCap: integer('daily_cap'),
    /** null: each alert is sent at once. */
    digest: json(),
    /** Empty: the watch's channels. */
    channelIds: uuid('channel_ids').array().notNull(),
    enabled: boolean().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [index('rule_watch').on(t.watchId), index('rule_market').on(t.marketId)],
);

/** Columns of what belongs to a rule and the market whose books or events it judges. */
const ofRuleInMarket = () => ({
  ruleId: uuid('rule_id')
    .notNull()
    .references(() => rule.id, { onDelete: 'cascade' }),
  marketId: integer('market_id')
    .notNull()
    .references(() => market.id),
});

/** What a rule remembers of a market between its books, as JSON text. */
export const ruleState = pgTable(
  'rule_state',
  {
    ...ofRuleInMarket(),
    state: text().notNull(),
    /** The newest book that judged it; null: none, or it reads one series there, whose place is in rule_progress. */
    judgedAt: moment('judged_at'),
  },
  (t) => [primaryKey({ columns: [t.ruleId, t.marketId] })],
);

/** The newest book of a series that rules have judged: a book that lands again fires nothing. */
export const ruleProgress = pgTable(
  'rule_progress',
  {
    scopeId: integer('scope_id')
      .notNull()
      .references(() => scope.id),
    type: pricingType().notNull(),
    observedAt: moment('observed_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.scopeId, t.type] })],
);

/** Every firing of a rule, with what was sent or why not. */
export const alert = pgTable(
  'alert',
  {
    id: uuid().primaryKey(),
    ...ofRuleInMarket(),
    /** The moment of the book or event. */
    at: moment('at').notNull(),
    bookId: integer('book_id'),
    value: doublePrecision(),
    baseline: doublePrecision(),
    previous: doublePrecision(),
    /** The notice of the alert, as JSON text. */
    notice: text().notNull(),
    /** When a digest or the end of quiet hours releases it; null: sent at once, or already part of a digest. */
    heldUntil: moment('held_until'),
    /** Why it was not sent: `daily-cap` or `no-channel`. */
    suppressed: text(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [
    index('alert_rule').on(t.ruleId, t.at),
    index('alert_market').on(t.marketId, t.at),
    index('alert_held').on(t.heldUntil).where(sql`held_until is not null`),
  ],
);

/** The list of the last report sent, to find changes. */
export const watchReport = pgTable('watch_report', {
  watchId: uuid('watch_id')
    .primaryKey()
    .references(() => watch.id, { onDelete: 'cascade' }),
  sentAt: moment('sent_at').notNull(),
  observedAt: moment('observed_at').notNull(),
  /** By listing: its value, its hourly price and a description. */
  items: json().notNull(),
});
