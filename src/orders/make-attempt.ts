import { MarketError, UserError } from '../core/errors.ts';
import { dollars } from '../rentals/acting-options.ts';
import type { Actor } from '../rentals/actor.ts';
import { lockAudit } from '../rentals/audit.sql.ts';
import { rent } from '../rentals/rent/rent.ts';
import { RentRefusal } from '../rentals/rent/rent-refusal.ts';
import type { RentRequest } from '../rentals/rent/rent-request.ts';
import { findRentalByKey } from '../rentals/rent/rentals.sql.ts';
import { beginAttempt, endAttempt, listAttempts } from './attempts.sql.ts';
import type { OrderBlock, OrderDecision } from './decide-order.ts';
import { judgeFailure } from './judge-failure.ts';
import { keyOfAttempt, type OrderRequest, type StandingOrder } from './order.ts';
import type { OrderAttempt } from './order-facts.ts';
import { recordStep } from './order-steps.ts';

/** What follows an attempt; `next`: the next decision. */
export type AttemptEnd =
  | { kind: 'next' }
  | { kind: 'wait'; block: OrderBlock }
  | { kind: 'fail'; reason: string };

export interface Attempting {
  actor: Actor;
  order: StandingOrder;
  publicUrl: string;
  signal: AbortSignal | undefined;
}

/** Rents for an attempt. It is stored before the rent begins, so that a successor finds what this process began. */
export async function makeAttempt(
  { actor, order, publicUrl, signal }: Attempting,
  decision: Extract<OrderDecision, { kind: 'attempt' }>,
): Promise<AttemptEnd> {
  const { sql, market, now } = actor;
  const { offer, maxUsdPerHour, choice, bookId } = decision;
  const request = requestOfOrder(actor, order);
  if (offer.offerId === null) throw new Error('an offer without its id cannot be rented');
  const { offerId, machineId } = offer;
  const at = now();
  const bidUsdPerHour = offer.bidUsdPerHour === null ? null : String(offer.bidUsdPerHour);
  const prices = {
    usdPerHour: String(offer.usdPerHour),
    maxUsdPerHour: String(maxUsdPerHour),
    bidUsdPerHour,
  };
  const attempt = await sql.begin(async (tx) => {
    await lockAudit(tx);
    const begun = await beginAttempt(tx, order.id, { choice, bookId, offerId, machineId, at, ...prices });
    if (begun === null) return null;
    const detail = { attempt: begun, choice, bookId, offerId, machineId, ...prices };
    const bidding = bidUsdPerHour === null ? '' : ', a bid';
    const words = `attempt ${begun}: offer ${offerId} at ${dollars(prices.usdPerHour)}/hour${bidding}`;
    await recordStep(
      tx,
      order,
      { step: 'attempt', words, by: order.createdBy, at, notifies: false, detail },
      publicUrl,
    );
    return begun;
  });
  // It was paused meanwhile; the next decision sees that.
  if (attempt === null) return { kind: 'next' };
  const key = keyOfAttempt(order.id, attempt);
  try {
    const label = request.label ?? order.name;
    const bid = offer.bidUsdPerHour === null ? {} : { bidUsdPerHour: offer.bidUsdPerHour };
    const asked: RentRequest = { ...request, label, offerId, maxUsdPerHour, ...bid };
    await rent(actor, asked, { key, by: order.createdBy, signal });
  } catch (error) {
    signal?.throwIfAborted();
    const rental = await findRentalByKey(sql, market.id, key);
    if (rental === null) return await endWithoutRental({ actor, order, publicUrl, signal }, attempt, error);
    if (rental.state !== 'failed') return { kind: 'next' };
    const { reason } = rental;
    const isGone = error instanceof RentRefusal && error.kind === 'offer-gone';
    if (isGone) await endAttempt(sql, order.id, attempt, { outcome: 'offer-gone', reason });
    if (!isFailureOfMarket(error)) return { kind: 'next' };
    // The next create would probably fail too: the next round is soon enough.
    await endAttempt(sql, order.id, attempt, { outcome: 'not-rented', reason });
    return { kind: 'wait', block: { waitingFor: 'market', reason: reason ?? error.message } };
  }
  return { kind: 'next' };
}

async function endWithoutRental(
  { actor: { sql }, order }: Attempting,
  attempt: number,
  error: unknown,
): Promise<AttemptEnd> {
  const begun = (await listAttempts(sql, order)).find((each) => each.attempt === attempt);
  const failure = judgeFailure(error, begun?.tries ?? 1);
  if (failure === null) throw error;
  const { reason } = failure;
  if (failure.kind === 'next') {
    await endAttempt(sql, order.id, attempt, { outcome: failure.outcome, reason });
    return { kind: 'next' };
  }
  await endAttempt(sql, order.id, attempt, { outcome: 'held', reason });
  return failure.kind === 'fail'
    ? { kind: 'fail', reason }
    : { kind: 'wait', block: { waitingFor: failure.waitingFor, reason } };
}

/** Returns what an order rents, with its environment and scripts. Throws UserError if they cannot be opened. */
export function requestOfOrder(
  { sealer }: Pick<Actor, 'sealer'>,
  { request, sealedRequest }: Pick<StandingOrder, 'request' | 'sealedRequest'>,
): OrderRequest {
  if (sealedRequest === null) return request as unknown as OrderRequest;
  const opened = sealer?.open(sealedRequest) ?? null;
  if (opened !== null) return JSON.parse(opened) as OrderRequest;
  throw new UserError(
    'Its environment and scripts were encrypted with another SECRETS_KEY: set that one, or change the order.',
  );
}

/** Returns how an attempt ended by its rental; null: as before. */
export function outcomeOfRental({
  outcome,
  rental,
}: OrderAttempt): Pick<OrderAttempt, 'outcome' | 'reason'> | null {
  if (rental === null) {
    // Its process ended before anything was sent, so that it can be begun again.
    return outcome === 'open'
      ? { outcome: 'held', reason: 'its process ended before anything was sent' }
      : null;
  }
  const { state, settleBy, reason } = rental;
  if (outcome === 'given-up') return null;
  if (state !== 'failed') return outcome === 'rented' ? null : { outcome: 'rented', reason: null };
  if (outcome !== 'open' && outcome !== 'rented' && outcome !== 'held') return null;
  return { outcome: settleBy === null ? 'refused' : 'not-rented', reason };
}

/** Whether a market was too busy or broken for a create that it clearly did not carry out. */
const isFailureOfMarket = (error: unknown): error is MarketError =>
  error instanceof MarketError && (error.kind === 'rate_limited' || (error.httpStatus ?? 0) >= 500);
