import { UserError } from '../../core/errors.ts';
import type { Actor } from '../actor.ts';
import { findRentalOfInstance } from '../rent/rentals.sql.ts';
import { findAccountInstance } from './account-instances.sql.ts';

/**
 * Returns what account and ledger know of an instance, null for each that has none. Throws UserError if both have none.
 */
export async function knownInstance({ sql, market }: Actor, instanceId: number) {
  const known = await findAccountInstance(sql, market.id, instanceId);
  const rental = await findRentalOfInstance(sql, market.id, instanceId);
  if (known === null && rental === null) {
    throw new UserError(
      `The account has no instance ${instanceId}: \`offerbook instances\` lists those there are.`,
    );
  }
  return { known, rental };
}
