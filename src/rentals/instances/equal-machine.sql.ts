import type postgres from 'postgres';
import type { Db } from '../../database/connection.ts';

type Sql = postgres.Fragment;

/** A verification tier as a number, higher for a better one; unknown tiers have none. */
export const tierRankSql = (db: Db, tier: Sql): Sql =>
  db`array_position(array['deverified', 'unverified', 'verified'], ${tier})`;

/**
 * SQL of whether an offer is as good as an instance's own machine, each part given as SQL: verification, reliability
 * (within 0.01) and memory of a GPU not lower if known for the own machine, room for its disk, neither machine nor host
 * blocked. The query compares model, number of GPUs, type and price. Source: docs/meaning.md#cheaper-equal-machines.
 */
export function equalMachineSql(
  db: Db,
  of: {
    own: { tierRank: Sql; reliability: Sql; gpuRamMb: Sql; diskGb: Sql };
    offer: { tier: Sql; reliability: Sql; gpuRamMb: Sql; diskGb: Sql; machineId: Sql; hostId: Sql };
    marketId: number;
  },
): Sql {
  const { own, offer, marketId } = of;
  return db`(${own.tierRank} is null or ${tierRankSql(db, offer.tier)} >= ${own.tierRank})
    and (${own.reliability} is null or ${offer.reliability} >= ${own.reliability} - 0.01)
    and (${own.gpuRamMb} is null or ${offer.gpuRamMb} >= ${own.gpuRamMb})
    and ${offer.diskGb} >= ${own.diskGb}
    and not exists (select from blocklist_entry b where b.market_id = ${marketId} and b.kind = 'block'
      and (b.machine_id = ${offer.machineId} or b.host_id = ${offer.hostId}))`;
}
