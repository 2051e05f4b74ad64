import { type AnyPgColumn, check, integer, numeric, pgTable, sql, text, unique, uuid } from '../drizzle.ts';
import { moment } from './market.ts';

/** Bearer tokens, page sessions, one-time login codes, and people whom a proxy names; of secrets only the SHA-256 is stored. */
export const credential = pgTable(
  'credential',
  {
    id: uuid().primaryKey(),
    kind: text().notNull(),
    role: text().notNull(),
    name: text().notNull(),
    hash: text().notNull(),
    /** The token that opened the session; when the token is revoked, the session ends. null: none. */
    parentId: uuid('parent_id').references((): AnyPgColumn => credential.id),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Limits of a token on what it rents; null: none. */
    maxUsdPerHour: numeric('max_usd_per_hour', { mode: 'number' }),
    maxInstances: integer('max_instances'),
    maxRentsPerDay: integer('max_rents_per_day'),
    /** Names of the markets that a token is limited to; null: all. */
    markets: text().array(),
    /** Label of the instances and orders that a token may change; null: no limit. */
    label: text(),
    /** null: does not expire. */
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    /** Last use of a token, by itself or by a session, or of a person, to the minute; null: never, or before this was noted. */
    lastUsedAt: moment('last_used_at'),
    /** The client's address then; null: unknown. */
    lastUsedFrom: text('last_used_from'),
  },
  (t) => [
    unique('credential_hash').on(t.hash),
    check('credential_kind', sql`${t.kind} in ('token', 'session', 'login', 'person')`),
    check('credential_role', sql`${t.role} in ('viewer', 'operator', 'admin', 'feed')`),
  ],
);
