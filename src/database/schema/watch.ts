import { integer, pgTable, smallint, text, unique, uuid } from '../drizzle.ts';
import { json, market, moment, scope } from './market.ts';

/**
 * What a person keeps an eye on: filters, a usage profile and a schedule.
 * Source: docs/meaning.md#watches-and-reports.
 */
export const watch = pgTable(
  'watch',
  {
    id: uuid().primaryKey(),
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    /** The scope whose books it reads: a narrow one where it names models, else the default one. */
    scopeId: integer('scope_id')
      .notNull()
      .references(() => scope.id),
    name: text().notNull(),
    filters: json().notNull(),
    profile: json().notNull(),
    rankBy: text('rank_by').notNull(),
    /** Offers in a report. */
    top: smallint().notNull(),
    cron: text().notNull(),
    timeZone: text('time_zone').notNull(),
    /** Where its reports go, and the alerts of rules that name no channels. */
    channelIds: uuid('channel_ids').array().notNull().default([]),
    /** When its report goes out; null: never by itself. */
    reportCron: text('report_cron'),
    reportTimeZone: text('report_time_zone'),
    /** From when on that counts: its last change; null: since the watch was made. */
    reportSince: moment('report_since'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [unique('watch_name').on(t.marketId, t.name)],
);
