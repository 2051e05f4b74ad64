import { Decimal } from 'decimal.js';
import type { FittingOffer } from './fitting-offers.ts';
import type { OrderChoice, OrderFields, OrderState, WaitingFor } from './order.ts';
import { isMachine, isStarting, type OrderAttempt, sumCommitted } from './order-facts.ts';
import { isOutbid, type LiveBid, liveBids, nextBid } from './outbid.ts';

/** Why nothing may be rented. */
export interface OrderBlock {
  waitingFor: WaitingFor;
  reason: string;
}

/** What the newest book of a choice has for an order. */
export type ChoiceView =
  | { kind: 'blocked'; block: OrderBlock }
  /** The offers that fit, best first. */
  | { kind: 'book'; bookId: number; offers: readonly FittingOffer[] };

/** What an order is decided by. */
export interface OrderFacts {
  now: Date;
  attempts: readonly OrderAttempt[];
  /** What stops every order; null: nothing. */
  block: OrderBlock | null;
  /** A view of each choice, in their order; empty: not read yet. */
  views: readonly ChoiceView[];
}

/** What to do with an armed order. */
export type OrderDecision =
  | { kind: 'attempt'; choice: number; bookId: number; offer: FittingOffer; maxUsdPerHour: number }
  | { kind: 'raise'; bid: LiveBid; bidUsdPerHour: Decimal }
  /** Destroys an instance whose highest bid was outbid, as another offer fits. */
  | { kind: 'give-up'; bid: LiveBid; reason: string }
  /** `block` null: it waits for a fitting offer. */
  | { kind: 'wait'; block: OrderBlock | null }
  | { kind: 'move'; state: OrderState; reason: string };

/** What of an order decides. */
export interface DecidedOrder extends Pick<OrderFields, 'count' | 'endsAt' | 'budgetUsd'> {
  choices: readonly Pick<OrderChoice, 'bid'>[];
  maxHours: number | null;
  /** null: not armed, as in a dry run. */
  armedAt: Date | null;
}

/** So many refusals by the market in a row end an order: it would repeat them. */
const maxRefusals = 3;

/**
 * Decides what an armed order does now, from facts alone: the same live and in a dry run.
 * Source: docs/meaning.md#standing-orders.
 */
export function decideOrder(order: DecidedOrder, facts: OrderFacts): OrderDecision {
  const { attempts, now, block } = facts;
  const machines = attempts.filter(isMachine);
  const rented = `${machines.length} of ${order.count} machines rented`;
  const missing = machines.length < order.count;
  const isBusy = machines.some((each) => isStarting(each) || each.outcome === 'given-up');
  const bids = liveBids(attempts);
  const isFilled = !missing && !isBusy;
  if (isFilled && bids.length === 0) return { kind: 'move', state: 'filled', reason: rented };
  if (now >= order.endsAt) {
    return isFilled
      ? { kind: 'move', state: 'filled', reason: rented }
      : { kind: 'move', state: 'expired', reason: `its time is over: ${rented}` };
  }
  const outbid = bids.filter(isOutbid);
  if (outbid.length > 0) {
    if (block !== null) return { kind: 'wait', block };
    const decided = decideOutbid(order, facts, { outbid, missing });
    if (decided !== null) return decided;
  }
  if (!missing) return waitForMachines(order, machines, outbid);
  const refusal = repeatedRefusal(order, attempts);
  if (refusal !== null) return { kind: 'move', state: 'failed', reason: refusal };
  return block === null ? chooseOffer(order, facts, rented) : { kind: 'wait', block };
}

/** Raises the first bid that may rise; else replaces a machine of the rest. null: there is nothing to do. */
function decideOutbid(
  order: DecidedOrder,
  facts: OrderFacts,
  { outbid, missing }: { outbid: readonly LiveBid[]; missing: boolean },
): OrderDecision | null {
  let lost: LiveBid | null = null;
  for (const bid of outbid) {
    const how = order.choices[bid.attempt.choice]?.bid;
    if (how === undefined) continue;
    const bidUsdPerHour = nextBid(bid, how);
    if (bidUsdPerHour !== null) return { kind: 'raise', bid, bidUsdPerHour };
    if (how.whenOutbid === 'replace') lost ??= bid;
  }
  // A place that is free is filled first.
  if (lost === null || missing) return null;
  if (facts.views.length === 0) return { kind: 'wait', block: null };
  const { attempt } = lost;
  const without = facts.attempts.map((each) =>
    each === attempt && each.rental !== null
      ? { ...each, rental: { ...each.rental, endedAt: facts.now } }
      : each,
  );
  if (findOffer(order, { ...facts, attempts: without }).decision === null) return null;
  const reason = `outbid at its highest bid of $${lost.bidUsdPerHour}/hour`;
  return { kind: 'give-up', bid: lost, reason };
}

/** What an order with all its machines waits for. */
function waitForMachines(
  { count }: DecidedOrder,
  machines: readonly OrderAttempt[],
  outbid: readonly LiveBid[],
): OrderDecision {
  if (machines.some(({ outcome }) => outcome === 'given-up'))
    return wait('rentals', 'an instance that was outbid is being destroyed');
  const starting = machines.filter(isStarting).length;
  if (starting > 0) return wait('rentals', `${starting} of ${count} machines have not run yet`);
  const words =
    outbid.length === 0
      ? 'a bid that is outbid will be raised'
      : `${outbid.length} of them outbid at the highest bid`;
  return wait('bids', `${machines.length} of ${count} machines rented: ${words}`);
}

const wait = (waitingFor: WaitingFor, reason: string): OrderDecision => ({
  kind: 'wait',
  block: { waitingFor, reason },
});

/** The reason of the newest of several refusals in a row since it was armed; null: there are not as many. */
function repeatedRefusal({ armedAt }: DecidedOrder, attempts: readonly OrderAttempt[]): string | null {
  const decided = attempts.filter(
    ({ outcome, at }) =>
      (outcome === 'refused' || outcome === 'rented') && (armedAt === null || at >= armedAt),
  );
  const last = decided.slice(-maxRefusals);
  if (last.length < maxRefusals || last.some(({ outcome }) => outcome !== 'refused')) return null;
  return `the market refused ${maxRefusals} times: ${last.at(-1)?.reason ?? 'no reason given'}`;
}

/** Rents the first offer of the first choice that fits and can be paid. */
function chooseOffer(order: DecidedOrder, facts: OrderFacts, rented: string): OrderDecision {
  const { decision, isDear } = findOffer(order, facts);
  if (decision !== null) return decision;
  if (isDear) return outOfBudget(order, facts.attempts, rented);
  const blocked = facts.views.find((view) => view.kind === 'blocked');
  return { kind: 'wait', block: blocked?.block ?? null };
}

/** `isDear`: offers fit that the budget has no room for. */
function findOffer(
  order: DecidedOrder,
  { attempts, views }: Pick<OrderFacts, 'attempts' | 'views'>,
): { decision: Extract<OrderDecision, { kind: 'attempt' }> | null; isDear: boolean } {
  const left = budgetLeft(order, attempts);
  let isDear = false;
  for (const [choice, view] of views.entries()) {
    if (view.kind === 'blocked') continue;
    for (const offer of view.offers) {
      if (wasTried(attempts, view.bookId, offer.machineId)) continue;
      const maxUsdPerHour = capOf(order, offer, left);
      if (maxUsdPerHour !== null) {
        const { bookId } = view;
        return { decision: { kind: 'attempt', choice, bookId, offer, maxUsdPerHour }, isDear };
      }
      isDear = true;
    }
  }
  return { decision: null, isDear };
}

/** Returns the dollars that may still be committed; null: there is no budget. */
function budgetLeft({ budgetUsd }: DecidedOrder, attempts: readonly OrderAttempt[]): Decimal | null {
  if (budgetUsd === null) return null;
  const committed = sumCommitted(attempts);
  return committed === null ? new Decimal(0) : new Decimal(budgetUsd).minus(committed);
}

/** Returns the cap of a rent of an offer, $/hour; null: the budget has no room for it. */
function capOf({ maxHours }: DecidedOrder, offer: FittingOffer, left: Decimal | null): number | null {
  if (left === null) return offer.maxUsdPerHour;
  if (maxHours === null) return null;
  const affordable = left.div(maxHours).toDecimalPlaces(9, Decimal.ROUND_DOWN).toNumber();
  return offer.usdPerHour <= affordable ? Math.min(offer.maxUsdPerHour, affordable) : null;
}

/** Ended when no machine of it is left whose early end would make room. */
function outOfBudget(
  { budgetUsd }: DecidedOrder,
  attempts: readonly OrderAttempt[],
  rented: string,
): OrderDecision {
  const committed = sumCommitted(attempts)?.toDecimalPlaces(2).toString() ?? 'all';
  const words = `$${committed} of $${budgetUsd} are committed, and no offer that fits costs as little as is left`;
  const mayFree = attempts.some((attempt) => isMachine(attempt) && attempt.rental?.endedAt === null);
  if (mayFree) return wait('budget', words);
  return { kind: 'move', state: 'out-of-budget', reason: `${words}: ${rented}` };
}

/** Whether a machine is or was the order's, or was tried in this book. */
const wasTried = (attempts: readonly OrderAttempt[], bookId: number, machineId: number): boolean =>
  attempts.some(
    (attempt) =>
      attempt.machineId === machineId &&
      ((attempt.rental !== null && attempt.rental.state !== 'failed') ||
        (attempt.bookId === bookId && attempt.outcome !== 'held' && attempt.outcome !== 'open')),
  );
