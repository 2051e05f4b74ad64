import type { Db } from '../../database/connection.ts';
import { publishEvent } from '../../rentals/events.sql.ts';
import { addDeliveries } from '../channels/deliveries.sql.ts';
import { type Alert, addAlerts } from './kept-alerts.sql.ts';

/** A firing as it is to be kept, with the channels that it is for. */
export interface NewAlert extends Alert {
  channelIds: readonly string[];
}

/** An event tells so many one by one. */
const maxNotified = 20;

/**
 * Keeps alerts, writes those that neither wait nor are suppressed into the outbox, and tells of them all in one event;
 * the last thing of a transaction. Alerts of rules that are gone meanwhile are passed over. Returns how many there are.
 */
export async function storeAlerts(
  tx: Db,
  { marketId, alerts, now }: { marketId: number; alerts: readonly NewAlert[]; now: Date },
): Promise<number> {
  const rules = await addAlerts(tx, alerts, now);
  const kept = alerts.filter(({ ruleId }) => rules.has(ruleId));
  if (kept.length === 0) return 0;
  const due = kept.filter(({ heldUntil, suppressed }) => heldUntil === null && suppressed === null);
  await addDeliveries(tx, due, now);
  const told = kept.slice(0, maxNotified).map(({ id, ruleId, bookId, notice, suppressed }) => ({
    alertId: id,
    ruleId,
    watchId: notice.watchId,
    title: notice.title,
    suppressed,
    bookId: bookId === null ? null : String(bookId),
  }));
  const data = { count: kept.length, alerts: told };
  await publishEvent(tx, { at: now, marketId, kind: 'alert', data });
  return kept.length;
}
