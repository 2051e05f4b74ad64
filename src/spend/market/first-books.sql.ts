import type { PricingType } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';

/** Returns when the first complete book was taken, null for none, and whether one was taken in any of some UTC hours. */
export async function findBooksOf(
  db: Db,
  { scopeId, type, hours }: { scopeId: number; type: PricingType; hours: readonly Date[] },
): Promise<{ firstAt: Date | null; inHours: boolean }> {
  const complete = db`b.scope_id = ${scopeId} and b.type = ${type} and b.verdict = 'complete'`;
  const [row] = await db<{ firstAt: Date | null; inHours: boolean }[]>`
    select (select b.observed_at from book b where ${complete} order by b.observed_at limit 1) as "firstAt",
      exists (select 1 from unnest(${hours.map((t) => t.toISOString())}::text[]::timestamptz[]) h join book b
        on ${complete} and b.observed_at >= h and b.observed_at < h + interval '1 hour') as "inHours"`;
  return { firstAt: row?.firstAt ?? null, inHours: row?.inHours ?? false };
}
