import { ApiProblem } from '../../core/http/problem.ts';
import type { Actor } from '../actor.ts';
import { findRentalOfInstance } from '../rent/rentals.sql.ts';
import { findAccountInstance } from './account-instances.sql.ts';

/**
 * Returns what account and ledger know of an instance, null for each that has none. Throws the 404 if both have none.
 */
export async function knownInstance({ sql, market }: Actor, instanceId: number) {
  const known = await findAccountInstance(sql, market.id, instanceId);
  const rental = await findRentalOfInstance(sql, market.id, instanceId);
  if (known === null && rental === null) throw noSuchInstance(instanceId);
  return { known, rental };
}

/** Returns the 404 for an instance that the account does not have. */
export const noSuchInstance = (instanceId: number): ApiProblem =>
  new ApiProblem(
    404,
    'not-found',
    `The account has no instance ${instanceId}: \`offerbook instances\` or GET /api/instances lists all.`,
  );
