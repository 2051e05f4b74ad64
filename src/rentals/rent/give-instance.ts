import type { Db } from '../../database/connection.ts';
import { isAboutEnds, limitsAfter, noEndLimits } from '../instances/end-limits.ts';
import { planLimits } from '../instances/plans.sql.ts';
import type { Rental, RentalState } from '../rental.ts';
import type { RentRequest } from './rent-request.ts';
import { claimedInstances, lockRental, moveRental } from './rentals.sql.ts';

/** How an instance is assigned to a rental. */
export interface Gift {
  /** States that it may come from; an ended rental resumes. */
  from: readonly RentalState[];
  instanceId: number;
  at: Date;
  reason?: string | undefined;
}

/**
 * Assigns an instance to a rental, with the limits and cost center of its request. Must be the last step of the
 * transaction `tx`. false: rental or instance is already assigned.
 */
export async function giveInstance(
  tx: Db,
  rental: Pick<Rental, 'id' | 'marketId' | 'request' | 'costCenter' | 'createdAt'>,
  { from, instanceId, at, reason }: Gift,
): Promise<boolean> {
  const state = await lockRental(tx, rental.id);
  if (state === null || !from.includes(state)) return false;
  if ((await claimedInstances(tx, rental.marketId, [instanceId])).has(instanceId)) return false;
  const request = rental.request as unknown as RentRequest;
  const begin = rental.createdAt;
  await planLimits(tx, rental.marketId, instanceId, {
    costCenter: rental.costCenter ?? undefined,
    ends: isAboutEnds(request) ? limitsAfter(request, noEndLimits, { begin, at: begin }) : undefined,
  });
  const change = { at, reason, instanceId, settledAt: at, endedAt: null };
  return await moveRental(tx, rental, [state], { state: 'provisioning', ...change });
}
