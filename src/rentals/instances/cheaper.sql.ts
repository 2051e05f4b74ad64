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
  listedUsdPerGpuHour: number | null;
  type: PricingType;
  /** With the instance's disk. */
  usdPerHour: number;
  /** Price of the running instance. */
  instanceUsdPerHour: number;
}

/**
 * Returns for each running instance the equal offers of a book that cost at least `percent` less, cheapest first: same
 * model, GPU count and type, tier and reliability (within 0.01) not lower, disk not smaller, not blocked. The caller
 * removes outliers. Tier and reliability are those the machine was last offered with; unknown ones are not compared.
 * Source: docs/meaning.md#cheaper-equal-machines.
 */
export async function cheaperOffers(
  db: Db,
  marketId: number,
  bookIds: readonly number[],
  percent: number,
): Promise<CheaperOffer[]> {
  const equal = equalMachineSql(db, {
    own: { tierRank: db`own.tier`, reliability: db`own.reliability`, diskGb: db`own.disk_gb` },
    offer: {
      tier: db`v.name`,
      reliability: db`o.reliability`,
      diskGb: db`o.disk_space_gb`,
      machineId: db`l.machine_id`,
      hostId: db`o.host_id`,
    },
    marketId,
  });
  return await db<CheaperOffer[]>`
    with own as (
      select i.instance_id, i.gpu_name, i.num_gpus, i.type, i.machine_id, coalesce(i.disk_space_gb, 0) as disk_gb,
        i.base_usd_per_hour + i.storage_usd_per_gb_month * i.disk_space_gb / 720 as usd_per_hour,
        last.reliability, ${tierRankSql(db, db`last.tier`)} as tier
      from instance i
      -- The machine as it was last offered.
      left join lateral (
        select o.reliability, v.name as tier
        from listing l join latest_offer o on o.listing_id = l.id
        left join verification_tier v on v.id = o.verification_tier_id
        where l.market_id = i.market_id and l.machine_id = i.machine_id
        order by o.observed_at desc limit 1) last on true
      where i.market_id = ${marketId} and i.gone_at is null and i.actual_status = ${runningStatus})
    select own.instance_id as "instanceId", o.offer_id as "offerId", l.machine_id as "machineId",
      o.host_id as "hostId", own.gpu_name as "gpuName", v.name as verification, l.type,
      (o.base_usd_per_hour + o.storage_usd_per_gb_month * 8 / 720) / l.num_gpus as "listedUsdPerGpuHour",
      o.base_usd_per_hour + o.storage_usd_per_gb_month * own.disk_gb / 720 as "usdPerHour",
      own.usd_per_hour as "instanceUsdPerHour"
    from own
    join gpu_model m on m.name = own.gpu_name
    join listing l on l.market_id = ${marketId} and l.gpu_model_id = m.id and l.num_gpus = own.num_gpus
      and l.type = own.type and l.machine_id is distinct from own.machine_id
    join latest_offer o on o.listing_id = l.id and o.book_id = any(${[...bookIds]}::int[])
    left join verification_tier v on v.id = o.verification_tier_id
    where ${equal}
      and o.base_usd_per_hour + o.storage_usd_per_gb_month * own.disk_gb / 720
        <= own.usd_per_hour * (1 - ${percent}::float8 / 100)
    order by own.instance_id, "usdPerHour", o.offer_id`;
}
