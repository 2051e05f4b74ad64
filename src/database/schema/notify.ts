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

/** Where notices go. The secret is encrypted with SECRETS_KEY; what it opens is in no other column. */
export const channel = pgTable(
  'channel',
  {
    id: uuid().primaryKey(),
    kind: text().notNull(),
    name: text().notNull(),
    config: json().notNull(),
    secret: text(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [unique('channel_name').on(t.name)],
);

/**
 * The outbox and its history: one notice for one channel. Those of a channel go out in the order of `place`,
 * the next one only when the one before has been sent, refused or has failed.
 */
export const delivery = pgTable(
  'delivery',
  {
    id: uuid().primaryKey(),
    place: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    channelId: uuid('channel_id')
      .notNull()
      .references(() => channel.id, { onDelete: 'cascade' }),
    /** The notice as text of JSON: what is sent, rendered by the channel. */
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

/** What fires an alert: a price rule of a watch, or a rule over events of a market. */
export const rule = pgTable(
  'rule',
  {
    id: uuid().primaryKey(),
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    /** null: a rule over events of the market. */
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

/** What a rule remembers between books, as text of JSON. */
export const ruleState = pgTable('rule_state', {
  ruleId: uuid('rule_id')
    .primaryKey()
    .references(() => rule.id, { onDelete: 'cascade' }),
  state: text().notNull(),
  /** The moment of the newest book that it was judged by; null: by none, or it reads one series, of which rule_progress tells. */
  judgedAt: moment('judged_at'),
});

/** The newest book of a series that rules have judged: a book landed again fires nothing again. */
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

/** Every firing of a rule, with what was sent of it or why not. */
export const alert = pgTable(
  'alert',
  {
    id: uuid().primaryKey(),
    ruleId: uuid('rule_id')
      .notNull()
      .references(() => rule.id, { onDelete: 'cascade' }),
    /** The book's moment, or the event's. */
    at: moment('at').notNull(),
    bookId: integer('book_id'),
    value: doublePrecision(),
    baseline: doublePrecision(),
    previous: doublePrecision(),
    /** The notice of it, as text of JSON. */
    notice: text().notNull(),
    /** Waits until then for a digest or the end of quiet hours; null: was sent at once, or was put into one. */
    heldUntil: moment('held_until'),
    /** `daily-cap`: it was not sent at all. */
    suppressed: text(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [
    index('alert_rule').on(t.ruleId, t.at),
    index('alert_held').on(t.heldUntil).where(sql`held_until is not null`),
  ],
);

/** What the last report that went out listed, for what has changed since. */
export const watchReport = pgTable('watch_report', {
  watchId: uuid('watch_id')
    .primaryKey()
    .references(() => watch.id, { onDelete: 'cascade' }),
  sentAt: moment('sent_at').notNull(),
  observedAt: moment('observed_at').notNull(),
  /** By listing: its value, price an hour and what it is. */
  items: json().notNull(),
});
