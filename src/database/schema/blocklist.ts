import { bigint, check, integer, pgTable, sql, text, unique, uuid } from '../drizzle.ts';
import { market, moment } from './market.ts';

/** Machines and hosts that a person never wants (`block`) or likes (`prefer`); one of the two ids is set. */
export const blocklistEntry = pgTable(
  'blocklist_entry',
  {
    id: uuid().primaryKey(),
    marketId: integer('market_id')
      .notNull()
      .references(() => market.id),
    kind: text().notNull(),
    machineId: bigint('machine_id', { mode: 'number' }),
    hostId: bigint('host_id', { mode: 'number' }),
    note: text(),
    addedAt: moment('added_at').notNull(),
  },
  (t) => [
    unique('blocklist_entry_machine').on(t.marketId, t.machineId),
    unique('blocklist_entry_host').on(t.marketId, t.hostId),
    check('blocklist_entry_kind', sql`${t.kind} in ('block', 'prefer')`),
    check('blocklist_entry_target', sql`num_nonnulls(${t.machineId}, ${t.hostId}) = 1`),
  ],
);
