import type { Db } from '../../database/connection.ts';
import { planLimits } from '../instances/plans.sql.ts';
import { endOf, type Rental, type RentalState } from '../rental.ts';
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
 * Assigns an instance to a rental, with the hours and cost center of its request. Must be the last step of the
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
  const end = endOf(rental.request as Pick<RentRequest, 'maxHours' | 'endAction'>, rental.createdAt);
  const costCenter = rental.costCenter ?? undefined;
  if (end !== null || costCenter !== undefined) {
    await planLimits(tx, rental.marketId, instanceId, { costCenter, end: end ?? undefined });
  }
  const change = { at, reason, instanceId, settledAt: at, endedAt: null };
  return await moveRental(tx, rental, [state], { state: 'provisioning', ...change });
}
