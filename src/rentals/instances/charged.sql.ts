import type { Db } from '../../database/connection.ts';

/** What the market has charged for an instance so far. */
export interface ChargedUsd {
  instanceId: number;
  /** Exact sum with traffic. */
  usd: string;
  /** The part that estimates do not include: traffic. */
  trafficUsd: string;
  /** When its last charge ends. */
  until: Date;
}

/** Returns the charges of instances; an instance without any is missing. */
export async function listCharged(
  db: Db,
  marketId: number,
  instanceIds: readonly number[],
  now: Date,
): Promise<ChargedUsd[]> {
  return await db<ChargedUsd[]>`
    select v.instance_id as "instanceId", sum(v.amount_usd)::text as usd,
      coalesce(sum(v.amount_usd) filter (where v.item_type in ('bwd', 'bwu')), 0)::text as "trafficUsd",
      max(coalesce(v.item_end_at, v.end_at, ${now})) as until
    from billing_version v join billing_entry e on e.id = v.entry_id
    where e.market_id = ${marketId} and e.kind = 'charge' and v.seen_to = 'infinity'
      and v.instance_id = any(${[...instanceIds]}::bigint[])
    group by v.instance_id`;
}
