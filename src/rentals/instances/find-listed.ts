import { ApiProblem } from '../../core/http/problem.ts';
import type { RentalsDeps } from '../rentals-deps.ts';
import { isEnded, readInstance } from './ledger.ts';
import { type LedgerInstanceAnswer, presentInstance } from './ledger-answer.ts';

/** Returns an instance of the account as it is now. Throws the 404 for one that is gone. */
export async function findListed(
  { sql, now }: Pick<RentalsDeps, 'sql' | 'now'>,
  marketId: number,
  instanceId: number,
): Promise<LedgerInstanceAnswer> {
  const found = await readInstance(sql, marketId, instanceId, now());
  if (found !== null && !isEnded(found)) return presentInstance(found);
  throw new ApiProblem(404, 'not-found', 'The instance is gone: the market no longer lists it.');
}
