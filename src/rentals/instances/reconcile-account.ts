import { connect } from 'node:net';
import { tryAccountLock } from '../account-lock.sql.ts';
import type { Actor } from '../actor.ts';
import { giveInstance } from '../rent/give-instance.ts';
import {
  listLateRentals,
  listReturnedRentals,
  listUnendedRentals,
  moveRental,
  reopenRental,
} from '../rent/rentals.sql.ts';
import { replaceFailed } from '../rent/replace-failed.ts';
import { abandonedToSettling, settleRentals } from '../rent/settle-rentals.ts';
import type { Rental } from '../rental.ts';
import {
  type AccountInstance,
  listAccountInstances,
  type NewestPoll,
  newestPoll,
} from './account-instances.sql.ts';
import { isDue, isStopDone, sendPlan } from './change-instance.ts';
import { watchCheaper } from './cheaper-limit.ts';
import { judgeLife, mayReplace } from './judge-life.ts';
import { planBy, planEnds } from './keep-ends.ts';
import { endPlan, type InstancePlan, listPlans } from './plans.sql.ts';

/** The result of one round over an account. */
export interface ReconcileReport {
  /** Rentals whose state changed. */
  moved: number;
  /** Stops and destroys that were sent. */
  sent: number;
  /** Rentals that still wait for something: polls should come soon. */
  waiting: number;
}

/**
 * Reconciles an account with its newest stored list: settles creates, follows instances, ends what reached its limits,
 * repeats what no list shows yet. One process at a time; returns null if another process is doing it. Every step can be
 * repeated, so the next round finishes what a dead process left.
 */
export async function reconcileAccount(actor: Actor, signal?: AbortSignal): Promise<ReconcileReport | null> {
  const { sql, market } = actor;
  return await tryAccountLock(sql, market.id, 'keep', async () => {
    await tryAccountLock(sql, market.id, 'create', async (lock) => await abandonedToSettling(lock, actor));
    const poll = await newestPoll(sql, market.id);
    if (poll === null) return { moved: 0, sent: 0, waiting: 0 };
    const instances = await listAccountInstances(sql, market.id, { gone: true });
    let moved = await moveRentals(actor, poll, instances);
    await endShownStops(actor, instances);
    const sent = await carryOut(actor, instances, signal);
    moved += await findReady(actor, instances);
    await replaceFailed(actor, signal);
    if (actor.limits.actions) await watchCheaper(actor, signal);
    const waiting = (await listUnendedRentals(sql, market.id)).filter(({ state }) => isWaiting(state)).length;
    return { moved, sent, waiting };
  });
}

const isWaiting = (state: Rental['state']): boolean =>
  ['creating', 'settling', 'provisioning', 'running', 'destroying', 'start-failed'].includes(state);

async function moveRentals(
  actor: Actor,
  poll: NewestPoll,
  instances: readonly AccountInstance[],
): Promise<number> {
  const { sql, market, now } = actor;
  for (const rental of await listReturnedRentals(sql, market.id)) {
    await sql.begin(async (tx) => await reopenRental(tx, rental, now()));
  }
  for (const { rental, instanceId } of await listLateRentals(sql, market.id)) {
    const reason = 'its instance was listed after the time for it was over';
    const late = { from: ['failed' as const], instanceId, at: now(), reason };
    await sql.begin(async (tx) => await giveInstance(tx, rental, late));
  }
  const present = instances.filter(({ goneAt }) => goneAt === null);
  const settled = await settleRentals(actor, await listUnendedRentals(sql, market.id), poll, present);
  let moved = settled.length;
  const plans = new Map((await listPlans(sql, market.id)).map((plan) => [plan.instanceId, plan]));
  const byId = new Map(instances.map((instance) => [instance.instanceId, instance]));
  for (const rental of await listUnendedRentals(sql, market.id)) {
    if (rental.instanceId === null) continue;
    const instance = byId.get(rental.instanceId) ?? null;
    const plan = plans.get(rental.instanceId) ?? null;
    if (await follow(actor, rental, { instance, plan, poll })) moved += 1;
  }
  return moved;
}

/** Moves one rental to the state of its instance; returns whether it changed. */
async function follow(
  actor: Actor,
  rental: Rental,
  seen: { instance: AccountInstance | null; plan: InstancePlan | null; poll: NewestPoll },
): Promise<boolean> {
  const { sql, now, limits } = actor;
  const judged = judgeLife({ rental, settleMinutes: limits.settleMinutes, ...seen });
  if (judged.state === rental.state) return false;
  const at = now();
  const isUp = judged.state === 'running' || judged.state === 'ready';
  return await sql.begin(
    async (tx) =>
      await moveRental(tx, rental, [rental.state], {
        ...judged,
        at,
        firstRunningAt: isUp || seen.instance?.everRunning === true ? at : undefined,
        failedStartAt: judged.state === 'start-failed' ? at : undefined,
        endedAt: judged.state === 'destroyed' ? at : undefined,
      }),
  );
}

/** A stop that a list shows is done: it does not apply to a later start elsewhere. */
async function endShownStops({ sql, market }: Actor, instances: readonly AccountInstance[]): Promise<void> {
  const byId = new Map(instances.map((instance) => [instance.instanceId, instance]));
  for (const plan of await listPlans(sql, market.id)) {
    const instance = byId.get(plan.instanceId);
    if (instance === undefined || !isStopDone(plan, instance)) continue;
    const done = { wanted: 'stopped' as const, doneAt: instance.lastSeenAt };
    await endPlan(sql, market.id, plan.instanceId, done);
  }
}

/** Checks the SSH ports of all running instances that were not ready, in parallel; returns how many are ready now. */
async function findReady(actor: Actor, instances: readonly AccountInstance[]): Promise<number> {
  const { sql, market, now } = actor;
  const byId = new Map(instances.map((instance) => [instance.instanceId, instance]));
  const running = (await listUnendedRentals(sql, market.id)).filter(({ state }) => state === 'running');
  const found = await Promise.all(
    running.map(async (rental) =>
      (await isReachable(actor, byId.get(rental.instanceId ?? -1) ?? null)) ? rental : null,
    ),
  );
  let ready = 0;
  for (const rental of found) {
    if (rental === null) continue;
    const at = now();
    const change = { state: 'ready' as const, at, readyAt: at };
    if (await sql.begin(async (tx) => await moveRental(tx, rental, ['running'], change))) ready += 1;
  }
  return ready;
}

const connectMs = 5_000;

/** Whether the SSH port accepts a connection: a running instance may not be ready. */
async function isReachable(
  { accepts = acceptsTcp }: Actor,
  instance: AccountInstance | null,
): Promise<boolean> {
  if (instance === null || instance.sshHost === null || instance.sshPort === null) return false;
  return await accepts(instance.sshHost, instance.sshPort);
}

/** Whether something accepts a TCP connection there within 5 seconds. */
async function acceptsTcp(host: string, port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (accepted: boolean): void => {
      socket.destroy();
      resolve(accepted);
    };
    socket.setTimeout(connectMs, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

/** Plans what the owner's limits and policies require, then sends what no list shows yet. */
async function carryOut(
  actor: Actor,
  instances: readonly AccountInstance[],
  signal: AbortSignal | undefined,
): Promise<number> {
  const { sql, market, now, limits } = actor;
  if (!limits.actions) return 0;
  const byId = new Map(instances.map((instance) => [instance.instanceId, instance]));
  await planEnds(actor, instances);
  const plans = new Map((await listPlans(sql, market.id)).map((plan) => [plan.instanceId, plan]));
  for (const rental of await listUnendedRentals(sql, market.id)) {
    if (rental.instanceId === null) continue;
    const instance = byId.get(rental.instanceId) ?? null;
    if (!mayReplace(rental, instance, plans.get(rental.instanceId) ?? null)) continue;
    await planBy(actor, rental.instanceId, { wanted: 'destroyed', by: failurePolicy });
  }
  let sent = 0;
  for (const plan of await listPlans(sql, market.id)) {
    const instance = byId.get(plan.instanceId) ?? null;
    if (plan.wanted === null || !isDue(plan, instance, now())) continue;
    signal?.throwIfAborted();
    await sendPlan(actor, plan.instanceId, { wanted: plan.wanted, by: plan.wantedBy ?? 'a limit', signal });
    sent += 1;
  }
  return sent;
}

/** Name in the audit log for a destroy by the failure policy. */
const failurePolicy = 'the failure policy';
