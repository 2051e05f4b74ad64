import { MarketError, UserError } from '../../core/errors.ts';
import type { Actor } from '../actor.ts';
import { publishEvent } from '../events.sql.ts';
import { rent } from '../rent/rent.ts';
import { RentRefusal } from '../rent/rent-refusal.ts';
import { findRentalByKey, findRentalOfInstance } from '../rent/rentals.sql.ts';
import { findCheaperEqual } from './cheaper-equal.ts';
import { type CheaperPlan, type CheaperState, listCheaperPlans, saveCheaper } from './cheaper-plans.sql.ts';
import { replacementProblem, replacementRequest } from './replacement-request.ts';

/** What a complete book had for an instance. */
interface SeenBook {
  bookId: number;
  /** The cheapest equal machine that is cheaper by the percent; null: none. */
  offer: CheaperState['offer'];
}

/**
 * Returns what is known after a book: an offer once `books` of the newest `ofBooks` books, this one among them, had one.
 * The same book again changes nothing, nor does any once a replacement was rented.
 */
export function stepCheaper(
  state: CheaperState | null,
  { bookId, offer }: SeenBook,
  { books, ofBooks }: { books: number; ofBooks: number },
): CheaperState {
  const before = state ?? { books: [], offer: null, bookId: null, replacement: null };
  if (before.replacement !== null || before.books[0]?.id === bookId) return before;
  const seen = [{ id: bookId, found: offer !== null }, ...before.books].slice(0, ofBooks);
  if (seen.filter(({ found }) => found).length < books) {
    return { ...before, books: seen, offer: null, bookId: null };
  }
  if (offer === null) return { ...before, books: seen };
  return { ...before, books: seen, offer, bookId: before.bookId ?? bookId };
}

/**
 * Looks in the newest complete book for cheaper equal machines of the instances whose owner wants to know; rents one
 * where that is wanted, and never ends anything. Every step can be repeated.
 */
export async function watchCheaper(actor: Actor, signal: AbortSignal | undefined): Promise<void> {
  const { sql, market, now } = actor;
  for (const plan of await listCheaperPlans(sql, market.id)) {
    const { instanceId, percent, bookId } = plan;
    if (plan.state?.replacement != null) continue;
    if (bookId !== null && plan.state?.books[0]?.id !== bookId) {
      const { outlierTests } = actor.priceCache;
      const found = (await findCheaperEqual(sql, market.id, { percent, instanceId, outlierTests })).get(
        instanceId,
      );
      const offer =
        found === undefined
          ? null
          : {
              offerId: found.offerId,
              machineId: found.machineId,
              usdPerHour: found.usdPerHour,
              instanceUsdPerHour: found.instanceUsdPerHour,
            };
      const state = stepCheaper(plan.state, { bookId, offer }, plan);
      const isNew = state.bookId !== null && plan.state?.bookId !== state.bookId;
      await sql.begin(async (tx) => {
        await saveCheaper(tx, market.id, instanceId, state);
        const data = { instanceId, cheaper: state.offer };
        if (isNew) await publishEvent(tx, { at: now(), marketId: market.id, kind: 'instance', data });
      });
      plan.state = state;
    }
    if (plan.action === 'replace') await rentReplacement(actor, plan, signal);
  }
}

/** Rents the cheaper machine once: the key derives from the rental and the book. */
async function rentReplacement(
  actor: Actor,
  { instanceId, percent, state }: CheaperPlan,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { sql, market, log } = actor;
  if (state === null || state.offer === null) return;
  const save = async (replacement: CheaperState['replacement']): Promise<void> =>
    await saveCheaper(sql, market.id, instanceId, { ...state, replacement });
  const rental = await findRentalOfInstance(sql, market.id, instanceId);
  const { offerId, instanceUsdPerHour } = state.offer;
  // For no more than was promised.
  const maxUsdPerHour = instanceUsdPerHour * (1 - percent / 100);
  const request = rental === null ? null : replacementRequest(actor, rental, { offerId, maxUsdPerHour });
  if (rental === null || request === null) {
    const why = replacementProblem(actor, rental) ?? 'its request is not known';
    await save({ rentalId: null, problem: `${why}: rent the offer yourself` });
    return;
  }
  const key = `${rental.idempotencyKey}/cheaper/${state.bookId}`;
  const options = { key, by: rental.rentedBy, replacesId: rental.id, exceptMachines: [rental.machineId] };
  try {
    const rented = await rent(actor, request, { ...options, signal });
    await save({ rentalId: rented.rental.id, problem: null });
  } catch (error) {
    if (!(error instanceof UserError) && !(error instanceof MarketError)) throw error;
    // A market that cannot be reached is asked later.
    if (error instanceof MarketError && (await findRentalByKey(sql, market.id, key)) === null) return;
    if (error instanceof RentRefusal && (error.kind === 'offer-gone' || error.kind === 'price-above-cap')) {
      // Somebody was faster: a later book may have another one, which gets a key of its own.
      await saveCheaper(sql, market.id, instanceId, { ...state, offer: null, bookId: null });
      return;
    }
    log.warn({ instanceId }, `the cheaper machine is not rented: ${error.message}`);
    await save({ rentalId: null, problem: error.message });
  }
}
