import { MarketError } from '../core/errors.ts';
import { ApiProblem } from '../core/http/problem.ts';
import { changeBid } from '../rentals/instances/change-bid.ts';
import { planState } from '../rentals/instances/plans.sql.ts';
import { endAttempt, noteBid } from './attempts.sql.ts';
import type { OrderDecision } from './decide-order.ts';
import { judgeFailure } from './judge-failure.ts';
import type { AttemptEnd, Attempting } from './make-attempt.ts';
import { recordStep } from './order-steps.ts';

/**
 * Raises a bid. It is stored before it is sent, so that no successor raises twice by one list; a bid that the market
 * found too low stays stored, so that the next one is higher.
 */
export async function raiseBid(
  { actor, order, publicUrl, signal }: Attempting,
  { bid, bidUsdPerHour }: Extract<OrderDecision, { kind: 'raise' }>,
): Promise<AttemptEnd> {
  const { sql, now } = actor;
  const { attempt, instanceId, bidUsdPerHour: before, bidAt } = bid;
  const number = attempt.attempt;
  const at = now();
  await noteBid(sql, order.id, number, { bidUsdPerHour: bidUsdPerHour.toString(), at });
  try {
    await changeBid(actor, instanceId, bidUsdPerHour.toNumber(), { by: order.createdBy, signal });
  } catch (error) {
    if (!mayCount(error))
      await noteBid(sql, order.id, number, { bidUsdPerHour: before.toString(), at: bidAt });
    signal?.throwIfAborted();
    // It is gone since the list: the next list says so, and other orders do not wait for that.
    if (error instanceof ApiProblem && error.status === 404)
      return { kind: 'wait', block: { waitingFor: 'rentals', reason: error.message } };
    const failure = judgeFailure(error, 1);
    if (failure === null) throw error;
    const waitingFor = failure.kind === 'wait' ? failure.waitingFor : 'guard';
    const reason = `the bid of instance ${instanceId} cannot be raised to $${bidUsdPerHour}/hour: ${failure.reason}`;
    return { kind: 'wait', block: { waitingFor, reason } };
  }
  const words = `attempt ${number}: instance ${instanceId} was outbid at $${before}/hour, and its bid is now $${bidUsdPerHour}/hour`;
  const detail = { attempt: number, instanceId, bidUsdPerHour: bidUsdPerHour.toString() };
  const step = { step: 'raised', words, by: order.createdBy, at: now(), detail };
  await sql.begin(async (tx) => await recordStep(tx, order, step, publicUrl));
  return { kind: 'next' };
}

/** Whether a failed raise may have had an effect, or was refused as too low: the next one must be higher. */
const mayCount = (error: unknown): boolean =>
  error instanceof MarketError &&
  (error.outcome === 'unknown' || (error.outcome === 'refused' && error.httpStatus === 400));

/** Gives up an instance whose highest bid was outbid: it is destroyed, and its place is free once it is gone. */
export async function giveUp(
  { actor, order, publicUrl }: Attempting,
  { bid, reason }: Extract<OrderDecision, { kind: 'give-up' }>,
): Promise<AttemptEnd> {
  const { sql, now, market } = actor;
  const { attempt, instanceId } = bid;
  const at = now();
  const store = async (tx: Parameters<typeof endAttempt>[0]): Promise<void> => {
    await endAttempt(tx, order.id, attempt.attempt, { outcome: 'given-up', reason });
    await planState(tx, market.id, instanceId, { wanted: 'destroyed', at, by: `order ${order.name}` });
  };
  const words = `attempt ${attempt.attempt}: ${reason}; instance ${instanceId} is destroyed, as another offer fits`;
  const detail = { attempt: attempt.attempt, instanceId };
  const step = { step: 'gave-up', words, by: order.createdBy, at, detail, store };
  await sql.begin(async (tx) => await recordStep(tx, order, step, publicUrl));
  return { kind: 'next' };
}
