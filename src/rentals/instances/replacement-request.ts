import type { Actor } from '../actor.ts';
import type { RentRequest } from '../rent/rent-request.ts';
import { requestOfRental } from '../rent/request-of-rental.ts';
import type { Rental } from '../rental.ts';
import type { EndLimits, RentEnds } from './end-limits.ts';

/** Returns why an instance cannot be rented again on another machine; null: it can. */
export function replacementProblem(actor: Pick<Actor, 'sealer'>, rental: Rental | null): string | null {
  if (rental === null) return 'it was rented elsewhere, so its settings are not known';
  if (rental.type !== 'on-demand') return 'it is a bid';
  if (rental.request.volume !== undefined) return 'its volume stays on its machine';
  return requestOfRental(actor, rental) === null
    ? 'its environment and start script were not kept (SECRETS_KEY)'
    : null;
}

/** The same again with another offer, for at most so much; null: it cannot be repeated. */
export function replacementRequest(
  actor: Pick<Actor, 'sealer' | 'now'>,
  rental: Rental,
  { offerId, maxUsdPerHour }: { offerId: number; maxUsdPerHour: number | undefined },
): RentRequest | null {
  if (replacementProblem(actor, rental) !== null) return null;
  const request = requestOfRental(actor, rental);
  if (request === null) return null;
  const { watchId: _, endsAt, maxUsdPerHour: _cap, ...same } = request;
  return {
    ...same,
    offerId,
    ...(maxUsdPerHour === undefined ? {} : { maxUsdPerHour }),
    nextBest: false,
    // A replacement is not replaced in its turn: the owner has not decided about the first yet.
    ...(same.cheaperPercent === undefined ? {} : { cheaperAction: 'notify' as const }),
    ...(endsAt !== undefined && new Date(endsAt) > actor.now() ? { endsAt } : {}),
  };
}

/** Returns the limits of an instance as a request to rent has them; hours and dollars count from the new rent. */
export function endsOf(limits: EndLimits, now: Date): RentEnds {
  const { maxHours, endsAt, idleMinutes, idlePercent, maxUsd, endAction, warnMinutes, cheaperPercent } =
    limits;
  const ends = {
    ...(maxHours === null ? {} : { maxHours }),
    ...(maxHours !== null || endsAt === null || endsAt <= now ? {} : { endsAt: endsAt.toISOString() }),
    ...(idleMinutes === null ? {} : { idleMinutes, ...(idlePercent === null ? {} : { idlePercent }) }),
    ...(maxUsd === null ? {} : { maxUsd: Number(maxUsd) }),
  };
  return {
    ...ends,
    ...(Object.keys(ends).length === 0 || endAction === null ? {} : { endAction }),
    ...(Object.keys(ends).length === 0 || warnMinutes === null ? {} : { warnMinutes }),
    ...(cheaperPercent === null
      ? {}
      : {
          cheaperPercent,
          ...(limits.cheaperBooks === null ? {} : { cheaperBooks: limits.cheaperBooks }),
          ...(limits.cheaperOfBooks === null ? {} : { cheaperOfBooks: limits.cheaperOfBooks }),
        }),
  };
}
