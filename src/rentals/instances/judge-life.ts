import {
  isBooting,
  isDead,
  isMeantToStop,
  isRunning,
  mayBeStopped,
  showsStopped,
} from '../../market/instance-status.ts';
import type { Rental, RentalState } from '../rental.ts';
import type { AccountInstance, NewestPoll } from './account-instances.sql.ts';
import type { InstancePlan } from './plans.sql.ts';

/** The state that a rental's instance implies. */
export interface LifeJudgment {
  state: RentalState;
  reason: string | null;
}

interface LifeCase {
  rental: Pick<
    Rental,
    'state' | 'createdAt' | 'settledAt' | 'provisionMinutes' | 'firstRunningAt' | 'failedStartAt'
  >;
  /** null: no list has had it yet. */
  instance: Pick<
    AccountInstance,
    'goneAt' | 'actualStatus' | 'intendedStatus' | 'statusMessage' | 'everRunning' | 'statusSince'
  > | null;
  plan: Pick<InstancePlan, 'wanted'> | null;
  poll: NewestPoll;
  /** How long a list may lag behind a create. */
  settleMinutes: number;
}

const minuteMs = 60_000;

/**
 * Returns a rental's state by its instance's newest list. Ready stays ready while it runs. Destroyed requires a later
 * successful list without the instance; a stop shows as stopped whatever `actual_status` says; an instance that ever
 * ran has not failed to start. Source: docs/marketplace.md#3-states, docs/meaning.md#states-of-a-rental.
 */
export function judgeLife({ rental, instance, plan, poll, settleMinutes }: LifeCase): LifeJudgment {
  const since = rental.settledAt ?? rental.createdAt;
  if (instance === null) {
    const mayLag = poll.polledAt.getTime() - since.getTime() < settleMinutes * minuteMs;
    const isEnding = plan?.wanted === 'destroyed';
    if (mayLag || poll.unidentified > 0) {
      return { state: isEnding ? 'destroying' : 'provisioning', reason: null };
    }
    return { state: 'destroyed', reason: isEnding ? null : 'no list ever had the instance' };
  }
  if (instance.goneAt !== null) return { state: 'destroyed', reason: null };
  if (plan?.wanted === 'destroyed') return { state: 'destroying', reason: null };
  const { actualStatus, statusMessage, everRunning } = instance;
  if (isMeantToStop(instance) || plan?.wanted === 'stopped') return { state: 'stopped', reason: null };
  if (showsStopped(instance)) return { state: 'stopped', reason: statusMessage };
  if (isRunning(instance)) return { state: rental.state === 'ready' ? 'ready' : 'running', reason: null };
  // If the market does not state the intended status, a stop lasts until the instance shows life again.
  if (rental.state === 'stopped' && mayBeStopped(instance)) return { state: 'stopped', reason: null };
  const hasRun = everRunning || rental.firstRunningAt !== null;
  const said = [actualStatus, statusMessage].filter((word) => word !== null).join(': ');
  if (isDead(instance)) {
    return hasRun ? { state: 'down', reason: said } : { state: 'start-failed', reason: said };
  }
  const begun = hasRun ? (instance.statusSince ?? since) : since;
  const isLate = poll.polledAt.getTime() - begun.getTime() > rental.provisionMinutes * minuteMs;
  if (!isLate && isBooting(instance)) return { state: 'provisioning', reason: null };
  if (hasRun) return { state: isLate ? 'down' : 'provisioning', reason: said === '' ? null : said };
  if (!isLate) return { state: 'provisioning', reason: said };
  return { state: 'start-failed', reason: `it did not run within ${rental.provisionMinutes} minutes` };
}

/** Whether the failure policy may replace an instance: it never ran, and no one requested anything for it. */
export function mayReplace(
  rental: Pick<Rental, 'state' | 'onFailure' | 'replacementsLeft' | 'firstRunningAt'>,
  instance: Pick<AccountInstance, 'everRunning' | 'intendedStatus'> | null,
  plan: Pick<InstancePlan, 'wantedAt'> | null,
): boolean {
  const asked = (plan?.wantedAt ?? null) !== null || (instance !== null && isMeantToStop(instance));
  return (
    rental.state === 'start-failed' &&
    rental.onFailure === 'replace' &&
    rental.replacementsLeft > 0 &&
    rental.firstRunningAt === null &&
    instance !== null &&
    !instance.everRunning &&
    !asked
  );
}
