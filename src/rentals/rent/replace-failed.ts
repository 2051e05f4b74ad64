import { MarketError, UserError } from '../../core/errors.ts';
import { GuardRefusal } from '../actions-switch.ts';
import type { Actor } from '../actor.ts';
import { findPlan } from '../instances/plans.sql.ts';
import { rent } from './rent.ts';
import type { RentRequest } from './rent-request.ts';
import { findRentalByKey, listFailedStarts } from './rentals.sql.ts';
import { takeReplacement } from './replacements.sql.ts';
import { requestOfRental } from './request-of-rental.ts';

/**
 * Replaces rentals that failed to start, whose policy allows it and whose instance a list has proved gone. The key
 * derives from the rental, so a process that dies and the next one together rent once.
 */
export async function replaceFailed(actor: Actor, signal: AbortSignal | undefined): Promise<void> {
  const { sql, market, log } = actor;
  for (const rental of await listFailedStarts(sql, market.id)) {
    const plan = rental.instanceId === null ? null : await findPlan(sql, market.id, rental.instanceId);
    if (plan?.wantedBy !== 'the failure policy') continue;
    const request = requestOfRental(actor, rental);
    if (request === null) {
      log.warn({ rentalId: rental.id }, 'it is not replaced: its environment and script were not stored');
      await takeReplacement(sql, rental.id);
      continue;
    }
    const key = `${rental.idempotencyKey}/${rental.id}`;
    try {
      const replacements = rental.replacementsLeft - 1;
      const next: RentRequest = {
        ...request,
        nextBest: true,
        ...(replacements > 0 ? { replacements } : { onFailure: 'notify' as const, replacements: undefined }),
      };
      await rent(actor, next, {
        key,
        by: rental.rentedBy,
        replacesId: rental.id,
        signal,
        exceptMachines: [rental.machineId],
      });
      await takeReplacement(sql, rental.id);
    } catch (error) {
      if (!(error instanceof UserError) && !(error instanceof MarketError)) throw error;
      // If the market cannot be reached, a later round tries again; a refusal, or the response to a create, is final.
      const isLater = error instanceof MarketError || isUnlisted(error);
      if (isLater && (await findRentalByKey(sql, market.id, key)) === null) continue;
      log.warn({ rentalId: rental.id }, `it is not replaced: ${error.message}`);
      await takeReplacement(sql, rental.id);
    }
  }
}

const isUnlisted = (error: Error): boolean =>
  error instanceof GuardRefusal && error.guard === 'account-listed';
