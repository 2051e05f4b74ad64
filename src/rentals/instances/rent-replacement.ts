import { UserError } from '../../core/errors.ts';
import type { Actor } from '../actor.ts';
import type { RentRequest } from '../rent/rent-request.ts';
import type { Rental } from '../rental.ts';
import { noEndLimits, requestFields } from './end-limits.ts';
import { noSuchInstance } from './known-instance.ts';
import { isEnded, readInstance } from './ledger.ts';
import { endsOf, replacementProblem, replacementRequest } from './replacement-request.ts';

/** What would be rented in an instance's place. */
export interface Replacement {
  request: RentRequest;
  /** The rental that it replaces. */
  rental: Rental;
}

/**
 * Returns the request that rents an instance again with another offer: as it was rented, with its present label, cost
 * center and limits, for no more than it costs itself. Throws the 404 for an instance that the account lacks, a
 * UserError for one that cannot be rented again.
 */
export async function requestReplacement(
  actor: Actor,
  instanceId: number,
  { offerId, maxUsdPerHour }: { offerId: number; maxUsdPerHour: number | undefined },
): Promise<Replacement> {
  const now = actor.now();
  const old = await readInstance(actor.sql, actor.market.id, instanceId, now);
  if (old === null || isEnded(old)) throw noSuchInstance(instanceId);
  const { rental, plan, label, costCenter, runningUsdPerHour } = old;
  const caps = [maxUsdPerHour, runningUsdPerHour === null ? undefined : Number(runningUsdPerHour)];
  const known = caps.filter((cap) => cap !== undefined);
  const cap = known.length === 0 ? undefined : Math.min(...known);
  const repeated =
    rental === null ? null : replacementRequest(actor, rental, { offerId, maxUsdPerHour: cap });
  if (rental === null || repeated === null) {
    const why = replacementProblem(actor, rental) ?? 'its request is not known';
    throw new UserError(`Instance ${instanceId} cannot be rented again: ${why}. Rent the offer yourself.`);
  }
  const same = Object.fromEntries(
    Object.entries(repeated).filter(([name]) => !names.includes(name)),
  ) as unknown as RentRequest;
  const request = {
    ...same,
    ...endsOf(plan ?? noEndLimits, now),
    ...(label === null ? {} : { label }),
    ...(costCenter === null ? {} : { costCenter }),
  };
  return { request, rental };
}

/** Fields that the instance may have got since it was rented. */
const names: readonly string[] = [...requestFields, 'label', 'costCenter'];
