import { UserError } from '../../core/errors.ts';
import type { Actor } from '../actor.ts';
import { appendAudit } from '../audit.sql.ts';
import { findAccountInstance } from '../instances/account-instances.sql.ts';
import type { Rental } from '../rental.ts';
import { giveInstance } from './give-instance.ts';
import { claimedInstances, moveRental } from './rentals.sql.ts';

/**
 * Settles an unsettled rental by a person's decision: an instance of its account that belongs to no other rental, or
 * nothing. Throws a UserError for any other instance and for a settled rental; then nothing is stored.
 */
export async function settleByPerson(
  { sql, market, now }: Pick<Actor, 'sql' | 'market' | 'now'>,
  rental: Rental,
  { instanceId, by }: { instanceId: number | null; by: string },
): Promise<void> {
  if (rental.marketId !== market.id) {
    throw new UserError(
      `The rental belongs to the market ${rental.market}, not to ${market.name}: settle it there.`,
    );
  }
  const at = now();
  const from = ['unsettled'] as const;
  await sql.begin(async (tx) => {
    if (instanceId !== null) {
      const listed = await findAccountInstance(tx, market.id, instanceId);
      if (listed === null || listed.goneAt !== null) {
        throw new UserError(`The account has no instance ${instanceId}: choose one that it lists.`);
      }
      if ((await claimedInstances(tx, market.id, [instanceId])).has(instanceId)) {
        throw new UserError(`Instance ${instanceId} belongs to another rental.`);
      }
    }
    const entry = { at, market: market.name, actor: by, action: 'settle', phase: 'after' as const };
    await appendAudit(tx, { ...entry, rentalId: rental.id, instanceId, detail: {} });
    const reason = `${by} says that nothing was rented`;
    const isMoved =
      instanceId === null
        ? await moveRental(tx, rental, from, { state: 'failed', at, reason, endedAt: at })
        : await giveInstance(tx, rental, { from, instanceId, at });
    if (!isMoved) throw new UserError('The rental is not unsettled: there is nothing to decide.');
  });
}
