import type { Db } from '../../database/connection.ts';

/** A machine as it was last offered. null: the market did not state it. */
export interface OfferedMachine {
  listingId: number;
  observedAt: Date;
  country: string | null;
  verification: string | null;
  /** 0 to 1. */
  reliability: number | null;
  /** Of one GPU. */
  gpuRamMb: number | null;
}

/** What is known of a machine from its newest offer. */
export interface MachineKind {
  gpuName: string;
  numGpus: number;
  /** null: the market did not state it. */
  country: string | null;
}

/** Returns machines by the newest offer of each, with all its GPUs; a machine that was never offered is missing. */
export async function listMachineKinds(
  db: Db,
  marketId: number,
  machineIds: readonly number[],
): Promise<Map<number, MachineKind>> {
  if (machineIds.length === 0) return new Map();
  const rows = await db<(MachineKind & { machineId: number })[]>`
    select distinct on (l.machine_id) l.machine_id as "machineId", m.name as "gpuName", l.num_gpus as "numGpus",
      c.name as country
    from listing l join latest_offer o on o.listing_id = l.id join gpu_model m on m.id = l.gpu_model_id
    left join country c on c.id = o.country_id
    where l.market_id = ${marketId} and l.machine_id = any(${[...machineIds]}::bigint[])
    order by l.machine_id, o.observed_at desc, l.num_gpus desc`;
  return new Map(rows.map(({ machineId, ...kind }) => [machineId, kind]));
}

/**
 * Returns a machine by its newest offer, of as many GPUs and of the type if there was one; null: it was never offered.
 */
export async function findMachine(
  db: Db,
  marketId: number,
  { machineId, numGpus, type }: { machineId: number; numGpus: number | null; type: string | null },
): Promise<OfferedMachine | null> {
  const [row] = await db<OfferedMachine[]>`
    select l.id as "listingId", o.observed_at as "observedAt", c.name as country, v.name as verification,
      o.reliability, o.gpu_ram_mb as "gpuRamMb"
    from listing l join latest_offer o on o.listing_id = l.id
    left join country c on c.id = o.country_id
    left join verification_tier v on v.id = o.verification_tier_id
    where l.market_id = ${marketId} and l.machine_id = ${machineId}
    order by coalesce(l.num_gpus = ${numGpus}, false) desc, coalesce(l.type::text = ${type}, false) desc,
      o.observed_at desc
    limit 1`;
  return row === undefined ? null : { ...row };
}
