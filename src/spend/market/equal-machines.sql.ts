import type { PricingType } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';
import { equalMachineSql, tierRankSql } from '../../rentals/instances/equal-machine.sql.ts';

/** A machine that would have been equivalent while an instance was charged. */
export interface EqualMachine {
  machineId: number;
  listingId: number;
  usdPerHour: number;
  /** When it was first offered at that price during this time, and until when; null: it still is. */
  since: Date;
  until: Date | null;
  verification: string | null;
  listedUsdPerGpuHour: number;
}

/**
 * Returns equivalent offers in a time that cost at least 5 % less for the whole machine with that disk, cheapest first:
 * same model, GPUs and type, and the conditions of `equalMachineSql`. The caller removes outliers. Empty if the rented
 * machine was never listed. Source: docs/meaning.md#cheaper-equal-machines.
 */
export async function cheaperEquals(
  db: Db,
  machine: {
    marketId: number;
    scopeId: number;
    machineId: number;
    gpuName: string;
    numGpus: number;
    type: PricingType;
    diskGb: number;
    usdPerHour: number;
    from: Date;
    to: Date;
  },
): Promise<EqualMachine[]> {
  const { marketId, scopeId, machineId, gpuName, numGpus, type, diskGb, usdPerHour, from, to } = machine;
  const equal = equalMachineSql(db, {
    own: {
      tierRank: db`own.tier`,
      reliability: db`own.reliability`,
      gpuRamMb: db`own.gpu_ram_mb`,
      diskGb: db`own.disk_gb`,
    },
    offer: {
      tier: db`a.tier`,
      reliability: db`a.reliability`,
      gpuRamMb: db`a.gpu_ram_mb`,
      diskGb: db`a.disk_space_gb`,
      machineId: db`l.machine_id`,
      hostId: db`a.host_id`,
    },
    marketId,
  });
  const rows = await db<EqualMachine[]>`
    with own as (
      select a.reliability, a.gpu_ram_mb, ${tierRankSql(db, db`v.name`)} as tier, ${diskGb}::float8 as disk_gb
      from listing l join listing_attribute a on a.listing_id = l.id
      left join verification_tier v on v.id = a.verification_tier_id
      where l.market_id = ${marketId} and l.machine_id = ${machineId} and a.observed_at <= ${to}
      order by a.observed_at desc limit 1)
    select l.machine_id as "machineId", l.id as "listingId",
      r.base_usd_per_hour + r.storage_usd_per_gb_month * own.disk_gb / 720 as "usdPerHour",
      greatest(p.first_at, r.valid_from, ${from}) as since,
      nullif(least(p.last_at, r.valid_to), 'infinity') as until, a.tier as verification,
      (r.base_usd_per_hour + r.storage_usd_per_gb_month * 8 / 720) / l.num_gpus as "listedUsdPerGpuHour"
    from own
    join listing l on l.market_id = ${marketId} and l.num_gpus = ${numGpus} and l.type = ${type}
      and l.machine_id <> ${machineId}
    join gpu_model g on g.id = l.gpu_model_id and g.name = ${gpuName}
    join price_interval r on r.listing_id = l.id and r.scope_id = ${scopeId} and r.valid_from < ${to} and r.valid_to > ${from}
    join presence p on p.listing_id = l.id and p.scope_id = ${scopeId} and p.first_at < least(${to}, r.valid_to)
      and p.last_at >= greatest(${from}, r.valid_from)
    join lateral (
      select a.reliability, a.gpu_ram_mb, a.disk_space_gb, a.host_id, v.name as tier
      from listing_attribute a left join verification_tier v on v.id = a.verification_tier_id
      where a.listing_id = l.id and a.valid_until is not null
        and a.day <= (greatest(p.first_at, r.valid_from, ${from}) at time zone 'UTC')::date
      order by a.day desc limit 1) a on true
    where r.base_usd_per_hour + r.storage_usd_per_gb_month * own.disk_gb / 720 <= ${usdPerHour}::float8 * 0.95
      and ${equal}
    order by 3, 2, 1`;
  return rows.map((row) => ({ ...row }));
}
