import type { PricingType } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';
import { runningStatus } from '../../market/instance-status.ts';
import { equalMachineSql, tierRankSql } from './equal-machine.sql.ts';

/** An offer that could replace an instance. */
export interface CheaperOffer {
  instanceId: number;
  offerId: number;
  machineId: number;
  hostId: number | null;
  gpuName: string;
  verification: string | null;
  /** 0 to 1. */
  reliability: number | null;
  country: string | null;
  listedUsdPerGpuHour: number | null;
  type: PricingType;
  /** With the instance's disk. */
  usdPerHour: number;
  /** Price of the running instance. */
  instanceUsdPerHour: number;
  /** When its host ends it, as of the book; null: the market does not say. */
  hostEndsAt: Date | null;
}

/**
 * Returns for each running instance, or for one, the equal offers of a book that cost at least `percent` less, cheapest
 * first: same model, GPU count and type; memory of a GPU, tier and reliability (within 0.01) not lower; disk not smaller;
 * not blocked. The caller removes outliers. The machine's own figures are those it was last offered with; unknown ones
 * are not compared. Source: docs/meaning.md#cheaper-equal-machines.
 */
export async function cheaperOffers(
  db: Db,
  marketId: number,
  {
    bookIds,
    percent,
    instanceId,
  }: { bookIds: readonly number[]; percent: number; instanceId: number | null },
): Promise<CheaperOffer[]> {
  const equal = equalMachineSql(db, {
    own: {
      tierRank: db`own.tier`,
      reliability: db`own.reliability`,
      gpuRamMb: db`own.gpu_ram_mb`,
      diskGb: db`own.disk_gb`,
    },
    offer: {
      tier: db`v.name`,
      reliability: db`o.reliability`,
      gpuRamMb: db`o.gpu_ram_mb`,
      diskGb: db`o.disk_space_gb`,
      machineId: db`l.machine_id`,
      hostId: db`o.host_id`,
    },
    marketId,
  });
  return await db<CheaperOffer[]>`
    with running as materialized (
      select * from instance i
      where i.market_id = ${marketId} and i.gone_at is null and i.actual_status = ${runningStatus}
        and (${instanceId === null} or i.instance_id = ${instanceId})),
    -- Machines as they were last offered.
    last as (
      select distinct on (l.machine_id) l.machine_id, o.reliability, o.gpu_ram_mb, v.name as tier
      from listing l join latest_offer o on o.listing_id = l.id
      left join verification_tier v on v.id = o.verification_tier_id
      where l.market_id = ${marketId} and l.machine_id in (select machine_id from running)
      order by l.machine_id, o.observed_at desc),
    own as (
      select i.instance_id, i.gpu_name, i.num_gpus, i.type, i.machine_id, coalesce(i.disk_space_gb, 0) as disk_gb,
        i.base_usd_per_hour + i.storage_usd_per_gb_month * i.disk_space_gb / 720 as usd_per_hour,
        last.reliability, last.gpu_ram_mb, ${tierRankSql(db, db`last.tier`)} as tier
      from running i left join last using (machine_id))
    select own.instance_id as "instanceId", o.offer_id as "offerId", l.machine_id as "machineId",
      o.host_id as "hostId", own.gpu_name as "gpuName", v.name as verification, l.type, o.reliability, c.name as country,
      (o.base_usd_per_hour + o.storage_usd_per_gb_month * 8 / 720) / l.num_gpus as "listedUsdPerGpuHour",
      o.base_usd_per_hour + o.storage_usd_per_gb_month * own.disk_gb / 720 as "usdPerHour",
      own.usd_per_hour as "instanceUsdPerHour",
      o.observed_at + o.max_duration_hours * interval '1 hour' as "hostEndsAt"
    from own
    join gpu_model m on m.name = own.gpu_name
    join listing l on l.market_id = ${marketId} and l.gpu_model_id = m.id and l.num_gpus = own.num_gpus
      and l.type = own.type and l.machine_id is distinct from own.machine_id
    join latest_offer o on o.listing_id = l.id and o.book_id = any(${[...bookIds]}::int[])
    left join verification_tier v on v.id = o.verification_tier_id
    left join country c on c.id = o.country_id
    where ${equal}
      and o.base_usd_per_hour + o.storage_usd_per_gb_month * own.disk_gb / 720
        <= own.usd_per_hour * (1 - ${percent}::float8 / 100)
    order by own.instance_id, "usdPerHour", o.offer_id`;
}
