import type { Db } from '../database/connection.ts';
import { appendAudit, lockAudit } from '../rentals/audit.sql.ts';
import { publishEvent } from '../rentals/events.sql.ts';
import { addDeliveries } from '../watches/channels/deliveries.sql.ts';
import { oneLine } from '../watches/channels/notice.ts';
import type { NoticeData, NoticeOf } from '../watches/channels/notice-schema.ts';
import { findWatch } from '../watches/watches.sql.ts';
import type { OrderState, StandingOrder } from './order.ts';
import { changeOrder, type OrderChange } from './orders.sql.ts';

/** A step of an order. */
export interface OrderStep {
  /** `armed`, `waits`, `attempt`, `rented`… */
  step: string;
  /** What happened, as a sentence without its end. */
  words: string;
  by: string;
  at: Date;
  /** Whether its channels get a message. @default true */
  notifies?: boolean;
  rentalId?: string | undefined;
  detail?: Record<string, unknown>;
  /** What it changes of the order, and from which states. @default nothing */
  change?: { from: readonly OrderState[]; set: OrderChange };
  /** Stores more with it. */
  store?: (tx: Db) => Promise<void>;
}

/**
 * Stores a step with its entry in the audit log, its message to the order's channels and its event, in the transaction
 * of `tx`, whose last part it must be. false: the order is in another state by now, and nothing was stored.
 */
export async function recordStep(
  tx: Db,
  order: StandingOrder,
  step: OrderStep,
  publicUrl: string,
): Promise<boolean> {
  const { words, by, at, change, notifies = true, rentalId, detail = {} } = step;
  // Audit log first, as everywhere, so that two transactions never deadlock.
  await lockAudit(tx);
  if (change !== undefined && !(await changeOrder(tx, order.id, change.from, change.set))) return false;
  await step.store?.(tx);
  const state = change?.set.state ?? order.state;
  const about = { orderId: order.id, name: order.name, step: step.step, state, words, ...detail };
  const entry = { at, market: order.market, actor: by, action: 'order', phase: 'after' as const };
  await appendAudit(tx, { ...entry, rentalId, detail: about });
  if (notifies) {
    const channelIds = await channelsOf(tx, order);
    await addDeliveries(
      tx,
      [{ notice: noticeOf(order, step, { ...about, rentalId }, publicUrl), channelIds }],
      at,
    );
  }
  await publishEvent(tx, {
    at,
    marketId: order.marketId,
    kind: 'order',
    data: { ...about, rentalId: rentalId ?? null },
  });
  return true;
}

async function channelsOf(tx: Db, { channelIds, choices }: StandingOrder): Promise<readonly string[]> {
  if (channelIds.length > 0) return channelIds;
  const [first] = choices;
  return first === undefined ? [] : ((await findWatch(tx, first.watchId))?.channelIds ?? []);
}

const noticeOf = (
  order: StandingOrder,
  { words, at }: OrderStep,
  data: NoticeData<'order'>,
  publicUrl: string,
): NoticeOf<'order'> => ({
  kind: 'order',
  title: oneLine(`Order ${oneLine(order.name, 80)}: ${words}`, 200),
  lines: [oneLine(`Standing order ${order.name} in ${order.market}.`), oneLine(`${words}.`)],
  link: `${publicUrl}/orders/${order.id}`,
  at: at.toISOString(),
  watchId: null,
  ruleId: null,
  data,
});
