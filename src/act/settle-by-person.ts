import { appendAudit } from '../db/acting/audit.ts';
import { claimedInstances, moveRental } from '../db/acting/rentals.ts';
import { UserError } from '../domain/errors.ts';
import type { Rental } from '../domain/rental.ts';
import type { Actor } from './actor.ts';

/**
 * Takes a person's word for what became of an unsettled rental: an instance that is no other rental's, or nothing.
 * Throws a UserError for a rental that is not unsettled.
 */
export async function settleByPerson(
  { sql, market, now }: Pick<Actor, 'sql' | 'market' | 'now'>,
  rental: Rental,
  { instanceId, by }: { instanceId: number | null; by: string },
): Promise<void> {
  const at = now();
  if (instanceId !== null && (await claimedInstances(sql, market.id, [instanceId])).has(instanceId)) {
    throw new UserError(`Instance ${instanceId} belongs to another rental.`);
  }
  const change =
    instanceId === null
      ? { state: 'failed' as const, at, reason: `${by} says that nothing was rented`, endedAt: at }
      : { state: 'provisioning' as const, at, instanceId, settledAt: at };
  const isMoved = await sql.begin(async (tx) => {
    const entry = { at, market: market.name, actor: by, action: 'settle', phase: 'after' as const };
    await appendAudit(tx, { ...entry, rentalId: rental.id, instanceId, detail: {} });
    return await moveRental(tx, rental, ['unsettled'], change);
  });
  if (!isMoved)
    throw new UserError(`The rental is ${rental.state}: only an unsettled one needs a person's word.`);
}
