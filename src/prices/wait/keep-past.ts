import type { PricingType } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';
import { seriesVersion } from '../verdicts/segment-prices.sql.ts';
import type { KeptPast } from './kept-past.ts';

/** What reads of the past need. */
export interface PastDeps {
  sql: Db;
  keptPast: KeptPast;
}

/** Returns what `read` returns for a request, cached until another book of its series lands. `what` names what is read. */
export async function keepPast<T>(
  { sql, keptPast }: PastDeps,
  what: 'lowest' | 'bids' | 'timing',
  of: { scopeId: number; type: PricingType },
  read: () => Promise<T>,
): Promise<T> {
  return await keptPast(`${what} ${JSON.stringify(of)}`, await seriesVersion(sql, of), read);
}
