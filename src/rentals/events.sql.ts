import { on } from '../database/builder.ts';
import type { Db, Sql } from '../database/connection.ts';
import { asc, gt } from '../database/drizzle.ts';
import { event as eventTable } from '../database/schema/rental.ts';

/** Every kind of event of `/api/events`. */
export const eventKinds = [
  'book',
  'crawl',
  'instance',
  'rental',
  'alert',
  'delivery',
  'actions',
  'order',
] as const;
export type EventKind = (typeof eventKinds)[number];

/** An event for pages and programs that wait for it. */
export interface StoredEvent {
  id: number;
  at: Date;
  marketId: number | null;
  kind: EventKind;
  data: Record<string, unknown>;
}

export type NewEvent = Omit<StoredEvent, 'id'>;

const channel = 'offerbook_event';
const orderLock = 0x0ffe_b011;

/**
 * Notifies all processes once the transaction of `db` commits; must be its last step, because events are numbered one
 * transaction after the other.
 */
export async function publishEvent(db: Db, event: NewEvent): Promise<void> {
  const { at, marketId, kind, data } = event;
  // PostgreSQL refuses lone surrogates in JSON: an event must not undo the change that it reports.
  const text = JSON.stringify(data, (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );
  await db`with locked as materialized (select pg_advisory_xact_lock(${orderLock})) select from locked`;
  const [row] = await db<{ id: number }[]>`
    insert into event (at, market_id, kind, data) values (${at}, ${marketId}, ${kind}, ${text}::text::jsonb)
    returning id`;
  await db`select pg_notify(${channel}, ${String(row?.id ?? 0)})`;
}

/** Notifies all processes at once, in a transaction of its own. */
export async function publishEventNow(sql: Sql, event: NewEvent): Promise<void> {
  await sql.begin(async (tx) => await publishEvent(tx, event));
}

/** Returns events after `afterId`, in order. */
export async function listEvents(db: Db, afterId: number, limit = 500): Promise<StoredEvent[]> {
  const { id } = eventTable;
  const asked = on(db).select().from(eventTable).where(gt(id, afterId)).orderBy(asc(id)).limit(limit);
  return (await asked) as StoredEvent[];
}

/** Returns the number of the newest event; 0: none. */
export async function newestEventId(db: Db): Promise<number> {
  const [row] = await db<{ id: number | null }[]>`select max(id) as id from event`;
  return row?.id ?? 0;
}

/** Calls `onEvent` for an event of any process, and when a lost connection is back. */
export async function listenForEvents(sql: Sql, onEvent: () => void): Promise<() => Promise<void>> {
  const { unlisten } = await sql.listen(
    channel,
    () => onEvent(),
    () => onEvent(),
  );
  return unlisten;
}
