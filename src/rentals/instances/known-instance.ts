import { UserError } from '../../core/errors.ts';
import type { Actor } from '../actor.ts';
import { findRentalOfInstance } from '../rent/rentals.sql.ts';
import { findAccountInstance } from './account-instances.sql.ts';

/** What the account and the ledger say of an instance; null: it has none of it. Throws UserError where both have none. */
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
