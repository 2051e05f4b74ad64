import { defaultProfile } from '../../src/core/metric.ts';
import { listAttempts } from '../../src/orders/attempts.sql.ts';
import { carryOutOrders, type OrdersReport } from '../../src/orders/carry-out-orders.ts';
import type { StandingOrder } from '../../src/orders/order.ts';
import type { NewOrder } from '../../src/orders/order-body.ts';
import { addOrder, armOrder, tryStored } from '../../src/orders/order-changes.ts';
import { isMachine, type OrderAttempt } from '../../src/orders/order-facts.ts';
import { findOrder } from '../../src/orders/orders.sql.ts';
import { createVerdictPools } from '../../src/prices/verdicts/verdict-pools.ts';
import type { Actor } from '../../src/rentals/actor.ts';
import { createUsualPrices } from '../../src/watches/rules/outlier-prices.ts';
import type { Watch, WatchFilters } from '../../src/watches/watch.ts';
import { insertWatch } from '../../src/watches/watches.sql.ts';
import type { TestAccount } from '../rentals/test-account.ts';

export const publicUrl = 'http://offerbook.test';
export const by = 'tester';
let made = 0;

/** A watch of an account's market. */
export async function makeWatch({ actor, clock }: TestAccount, filters: WatchFilters = {}): Promise<Watch> {
  made += 1;
  const watch = await insertWatch(
    actor.sql,
    [actor.market.id],
    {
      ...{ name: `watch ${made}`, filters, profile: defaultProfile, rankBy: 'usdPerGpuHour', top: 10 },
      ...{ schedule: { cron: '*/10 * * * *', timeZone: 'UTC' }, channelIds: [], reportSchedule: null },
    },
    clock.now,
  );
  if (watch === null) throw new Error('the watch was not stored');
  return watch;
}

/** The body of an order for on-demand machines of a watch at any sensible price, until a day from now. */
export async function orderBody(
  account: TestAccount,
  {
    filters,
    maxUsdPerGpuHour = 100,
    ...fields
  }: Partial<NewOrder> & { filters?: WatchFilters; maxUsdPerGpuHour?: number } = {},
): Promise<NewOrder> {
  made += 1;
  const choices = fields.choices ?? [{ watchId: (await makeWatch(account, filters)).id, maxUsdPerGpuHour }];
  return {
    ...{ name: `order ${made}`, count: 1, budgetUsd: null, channelIds: [] },
    endsAt: new Date(account.clock.now.getTime() + 86_400_000).toISOString(),
    request: { image: 'ubuntu:24.04', diskGb: 20 },
    ...fields,
    choices,
  };
}

/** Adds an order, runs it over the past and arms it. */
export async function armNew(
  account: TestAccount,
  fields: Parameters<typeof orderBody>[1] = {},
): Promise<StandingOrder> {
  const acting = { actor: account.actor, publicUrl, by };
  const { id } = await addOrder(acting, await orderBody(account, fields));
  await tryStored(acting, id, {});
  return await armOrder(acting, id);
}

/** Carries out the armed orders of an account once, as one worker does. */
export const carryOut = async (actor: Actor): Promise<OrdersReport | null> =>
  await carryOutOrders(actor, {
    ...{ maxDataAgeMinutes: 180, publicUrl },
    sources: { usualPrices: createUsualPrices(), poolsAt: createVerdictPools() },
  });

/** An order as it is now, with its attempts and its machines. */
export async function look(
  { actor: { sql } }: TestAccount,
  id: string,
): Promise<StandingOrder & { attempts: OrderAttempt[]; machines: OrderAttempt[] }> {
  const order = await findOrder(sql, id);
  if (order === null) throw new Error('the order is gone');
  const attempts = await listAttempts(sql, order);
  return { ...order, attempts, machines: attempts.filter(isMachine) };
}
