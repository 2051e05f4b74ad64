import { uuidv7 } from 'uuidv7';
import type { Db } from '../../database/connection.ts';
import { publishEvent } from '../../rentals/events.sql.ts';
import { addDeliveries } from '../channels/deliveries.sql.ts';
import { type Alert, addAlerts } from './kept-alerts.sql.ts';
import type { Firing } from './rule-machine.ts';

/** A firing to store, with its channels. */
export interface NewAlert extends Omit<Alert, 'marketId'> {
  channelIds: readonly string[];
}

/** Returns the alert of a firing. `heldUntil` is when what it waits for ends; null: nothing. */
export const newAlert = (
  { value, baseline, previous, capped }: Firing,
  alert: Pick<NewAlert, 'ruleId' | 'at' | 'bookId' | 'notice' | 'heldUntil' | 'channelIds'>,
): NewAlert => ({
  ...alert,
  id: uuidv7(),
  value,
  baseline,
  previous,
  heldUntil: capped ? null : alert.heldUntil,
  suppressed: capped
    ? 'daily-cap'
    : alert.heldUntil === null && alert.channelIds.length === 0
      ? 'no-channel'
      : null,
});

/** An event lists at most this many alerts individually. */
const maxNotified = 20;

/**
 * Stores alerts, writes those that neither wait nor are suppressed into the outbox, and reports all in one event; must
 * be the last step of a transaction. Skips alerts of deleted rules. Returns their number.
 */
export async function storeAlerts(
  tx: Db,
  { marketId, alerts, now }: { marketId: number; alerts: readonly NewAlert[]; now: Date },
): Promise<number> {
  const rules = await addAlerts(
    tx,
    alerts.map((alert) => ({ ...alert, marketId })),
    now,
  );
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
