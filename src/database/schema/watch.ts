import { index, integer, pgTable, primaryKey, smallint, text, unique, uuid } from '../drizzle.ts';
import { json, market, moment, scope } from './market.ts';

/** A saved search: filters, a usage profile and a schedule. Source: docs/meaning.md#watches-and-reports. */
export const watch = pgTable(
  'watch',
  {
    id: uuid().primaryKey(),
    /** The first of its markets. */
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    name: text().notNull(),
    filters: json().notNull(),
    profile: json().notNull(),
    rankBy: text('rank_by').notNull(),
    /** Number of offers in a report. */
    top: smallint().notNull(),
    cron: text().notNull(),
    timeZone: text('time_zone').notNull(),
    /** Where its reports go, and the alerts of rules without channels. */
    channelIds: uuid('channel_ids').array().notNull().default([]),
    /** When its report is sent; null: only on request. */
    reportCron: text('report_cron'),
    reportTimeZone: text('report_time_zone'),
    /** Since when that applies: its last change; null: since the watch was created. */
    reportSince: moment('report_since'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [unique('watch_name').on(t.marketId, t.name)],
);

/** The markets of a watch, in the order in which they were named. */
export const watchMarket = pgTable(
  'watch_market',
  {
    watchId: uuid('watch_id')
      .notNull()
      .references(() => watch.id, { onDelete: 'cascade' }),
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    /** The scope whose books it reads there: a narrow one if it names models, else the default one. */
    scopeId: integer('scope_id')
      .notNull()
      .references(() => scope.id),
    /** From 0. */
    place: smallint().notNull(),
  },
  (t) => [primaryKey({ columns: [t.watchId, t.marketId] }), index('watch_market_market').on(t.marketId)],
);
