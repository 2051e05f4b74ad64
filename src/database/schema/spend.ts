import { boolean, check, integer, numeric, pgTable, sql, text, unique, uuid } from '../drizzle.ts';
import { json, market, moment } from './market.ts';

const marketId = () =>
  integer('market_id')
    .notNull()
    .references(() => market.id);

/** The account's balance as the market showed it and a person recorded it. */
export const statementBalance = pgTable(
  'statement_balance',
  {
    id: uuid().primaryKey(),
    marketId: marketId(),
    at: moment('at').notNull(),
    /** US dollars as recorded. */
    amountUsd: numeric('amount_usd').notNull(),
    enteredAt: moment('entered_at').notNull(),
    /** Name of the token, or `command`. */
    enteredBy: text('entered_by').notNull(),
  },
  (t) => [unique('statement_balance_at').on(t.marketId, t.at)],
);

/** A monthly budget. */
export const budget = pgTable(
  'budget',
  {
    id: uuid().primaryKey(),
    marketId: marketId(),
    /** Only consumption with this label; null: everything. */
    label: text(),
    monthlyUsd: numeric('monthly_usd').notNull(),
    /** Shares that send an alert, 0.8 for 80 %. */
    alertAt: numeric('alert_at').array().notNull(),
    /** New rentals are blocked once it is used up. */
    blockRentals: boolean('block_rentals').notNull(),
    /** Time zone of its months. */
    timeZone: text('time_zone').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [
    unique('budget_label').on(t.marketId, t.label).nullsNotDistinct(),
    check('budget_monthly_usd', sql`${t.monthlyUsd} > 0`),
  ],
);

/** A link that shows one export to anyone who has it, until it is revoked; its token is stored as a hash. */
export const sheetLink = pgTable(
  'sheet_link',
  {
    id: uuid().primaryKey(),
    marketId: marketId(),
    /** Ids of the markets that it compares with the first one, in order. */
    furtherMarketIds: integer('further_market_ids').array().notNull().default([]),
    /** Name of the export, `spend-summary`. */
    export: text().notNull(),
    /** The export's parameters, as its address takes them. */
    query: json().notNull(),
    note: text(),
    tokenHash: text('token_hash').notNull(),
    createdAt: moment('created_at').notNull(),
    revokedAt: moment('revoked_at'),
    lastReadAt: moment('last_read_at'),
  },
  (t) => [unique('sheet_link_token').on(t.tokenHash)],
);
