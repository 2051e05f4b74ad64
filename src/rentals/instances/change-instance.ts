import { MarketError, UserError } from '../../core/errors.ts';
import { isStopped, mayBeStopped } from '../../market/instance-status.ts';
import { setActionSwitch } from '../action-switch.sql.ts';
import { requireActions } from '../actions-switch.ts';
import type { Actor } from '../actor.ts';
import { auditName } from '../agent.ts';
import { appendAudit } from '../audit.sql.ts';
import { publishEvent } from '../events.sql.ts';
import { refusalWords } from '../market-refusal.ts';
import { moveRental } from '../rent/rentals.sql.ts';
import { rentalStates } from '../rental.ts';
import { knownInstance } from './known-instance.ts';
import { endPlan, type InstancePlan, noteAttempt, planState, type WantedState } from './plans.sql.ts';
import { ifAffordable } from './refuse-dearer.ts';

/** The outcome of a change of an instance. `pending`: unknown yet; it is repeated until a list shows it. */
export interface ChangeEnd {
  instanceId: number;
  wanted: WantedState;
  outcome: 'accepted' | 'pending';
  /** Why it is not accepted yet; null: it is. */
  problem: string | null;
}

const calls = { running: 'startInstance', stopped: 'stopInstance', destroyed: 'destroyInstance' } as const;
const words = { running: 'start', stopped: 'stop', destroyed: 'destroy' } as const;

interface ChangeOptions {
  wanted: WantedState;
  by: string;
  signal?: AbortSignal | undefined;
}

/**
 * Stops, starts or destroys an instance at a person's request, whoever rented it. A stop or destroy is stored and
 * repeated until a list shows it, across restarts; a start, which costs money, is checked against the limits and sent
 * once. Throws the 404 for an instance that the account does not have, GuardRefusal for a start beyond the limits,
 * MarketError for a stop or start that the market refuses.
 */
export async function changeInstance(
  actor: Actor,
  instanceId: number,
  options: ChangeOptions,
): Promise<ChangeEnd> {
  requireActions(actor.limits.actions);
  if (options.wanted !== 'running') return await changeNow(actor, instanceId, options);
  const start = { what: 'start' as const, instanceId, by: options.by, signal: options.signal };
  return await ifAffordable(
    actor,
    start,
    (listed) => listed.baseUsdPerHour,
    async () => await changeNow(actor, instanceId, options),
  );
}

async function changeNow(
  actor: Actor,
  instanceId: number,
  { wanted, by, signal }: ChangeOptions,
): Promise<ChangeEnd> {
  const { sql, market, now } = actor;
  const { known, rental } = await knownInstance(actor, instanceId);
  const at = now();
  const entry = { at, market: market.name, actor: auditName(actor, by), action: words[wanted], instanceId };
  await sql.begin(async (tx) => {
    const detail = { status: known?.actualStatus ?? null };
    await appendAudit(tx, { ...entry, rentalId: rental?.id, phase: 'before', detail });
    const isKept = await planState(tx, market.id, instanceId, { wanted, at, by: entry.actor });
    // A destroy that was already requested is sent again.
    if (!isKept && wanted !== 'destroyed') {
      throw new UserError(`Instance ${instanceId} is being destroyed and cannot be changed.`);
    }
  });
  const end = await sendPlan(actor, instanceId, { wanted, by, signal });
  if (end.error !== null && wanted !== 'destroyed' && (wanted === 'running' || end.isClear)) {
    // A clear refusal is not retried automatically.
    if (end.isClear) await endPlan(sql, market.id, instanceId, { wanted, doneAt: null });
    throw end.error;
  }
  if (rental !== null && end.error === null && wanted === 'destroyed') {
    await sql.begin(async (tx) => {
      const open = rentalStates.filter((state) => state !== 'destroyed' && state !== 'failed');
      await moveRental(tx, rental, open, { state: 'destroying', at: now() });
    });
  }
  return {
    instanceId,
    wanted,
    outcome: end.error === null ? 'accepted' : 'pending',
    problem: end.error === null ? null : problemWords(end.error),
  };
}

const problemWords = (error: Error): string =>
  error instanceof MarketError ? refusalWords(error) : error.message;

interface SendEnd {
  error: Error | null;
  /** The market has answered. */
  isClear: boolean;
  /** The market says that it was already done. */
  isDone: boolean;
}

/** Sends a plan's request once, with its audit entry; a refusal of the market is in the result. */
export async function sendPlan(
  actor: Actor,
  instanceId: number,
  { wanted, by, signal }: ChangeOptions,
): Promise<SendEnd> {
  const { sql, market, account, now } = actor;
  const entry = { market: market.name, actor: auditName(actor, by), action: words[wanted], instanceId };
  const end = await call();
  const problem = end.error?.message ?? null;
  const at = now();
  await sql.begin(async (tx) => {
    await appendAudit(tx, { ...entry, at, phase: 'after', detail: { outcome: problem ?? 'accepted' } });
    const words = end.error === null ? null : problemWords(end.error);
    await noteAttempt(tx, market.id, instanceId, { at, problem: words, isDone: end.isDone });
    const data = { instanceId, wanted, problem: words };
    await publishEvent(tx, { at, marketId: market.id, kind: 'instance', data });
  });
  return end;

  async function call(): Promise<SendEnd> {
    try {
      await account[calls[wanted]](instanceId, { signal });
      return { error: null, isClear: true, isDone: false };
    } catch (error) {
      if (!(error instanceof MarketError) && !(error instanceof UserError) && signal?.aborted !== true)
        throw error;
      // What no longer exists counts as destroyed; the next list confirms it.
      if (error instanceof MarketError && error.kind === 'not_found' && wanted === 'destroyed') {
        return { error: null, isClear: true, isDone: true };
      }
      const isClear = error instanceof MarketError && error.outcome === 'refused';
      return { error: error as Error, isClear, isDone: false };
    }
  }
}

const againMs = 30_000;

/** The state of an instance in a list. */
interface Shown {
  actualStatus: string | null;
  intendedStatus: string | null;
  lastSeenAt: Date;
}

/** Whether to send a stop or destroy now: not yet shown by a list, and not attempted in the last half minute. */
export function isDue(plan: InstancePlan, instance: Shown | null, now: Date): boolean {
  if (plan.wanted !== 'destroyed' && plan.wanted !== 'stopped') return false;
  if (plan.triedAt !== null && now.getTime() - plan.triedAt.getTime() < againMs) return false;
  if (instance === null) return plan.acceptedAt === null;
  if (plan.acceptedAt !== null && instance.lastSeenAt <= plan.acceptedAt) return false;
  return plan.wanted === 'destroyed' || !showsStop(instance);
}

/** Longer than lists lag, so that an earlier stop is not mistaken for one whose response was lost. */
const lagMs = 60_000;

/** Whether a list shows that a stop is done: afterwards the instance may be started elsewhere. */
export function isStopDone(plan: InstancePlan, instance: Shown): boolean {
  const { wanted, wantedAt, acceptedAt } = plan;
  if (wanted !== 'stopped' || wantedAt === null || !showsStop(instance)) return false;
  return instance.lastSeenAt.getTime() > (acceptedAt?.getTime() ?? wantedAt.getTime() + lagMs);
}

const showsStop = (instance: Shown): boolean => isStopped(instance) || mayBeStopped(instance);

/** Turns new rentals off or on in every process. Stopping and destroying stay possible. */
export async function switchActions(
  { sql, market, now }: Pick<Actor, 'sql' | 'market' | 'now'>,
  { enabled, by }: { enabled: boolean; by: string },
): Promise<void> {
  const at = now();
  const entry = { at, market: market.name, actor: by, action: 'actions' };
  await sql.begin(async (tx) => {
    await appendAudit(tx, { ...entry, phase: 'after', detail: { enabled } });
    await setActionSwitch(tx, { enabled, changedAt: at, changedBy: by });
    await publishEvent(tx, { at, marketId: market.id, kind: 'actions', data: { enabled, by } });
  });
}
