import { bigint, check, index, integer, pgTable, sql, text, uuid } from '../drizzle.ts';
import { moment } from './market.ts';

/** Attempts at a backup that have ended. */
export const backup = pgTable(
  'backup',
  {
    id: uuid().primaryKey(),
    /** Folder or `s3://…` that it was for. */
    place: text().notNull(),
    name: text().notNull(),
    startedAt: moment('started_at').notNull(),
    endedAt: moment('ended_at').notNull(),
    outcome: text().notNull(),
    /** Why it failed, or why a good one was not restored for its check; null: neither. */
    reason: text(),
    /** null: it failed. */
    bytes: bigint({ mode: 'number' }),
    tables: integer(),
    rows: bigint({ mode: 'number' }),
    /** How a good one was checked; null: it was not. */
    checked: text(),
  },
  (t) => [
    index('backup_outcome').on(t.outcome, t.startedAt),
    check('backup_outcome', sql`${t.outcome} in ('good', 'failed')`),
    check('backup_checked', sql`${t.checked} in ('restored', 'read')`),
  ],
);
