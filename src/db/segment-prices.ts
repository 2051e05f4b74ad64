import type { PricingType, Verification } from '../domain/offer.ts';
import { listedStorageGb } from '../domain/price.ts';
import type { Db } from './connection.ts';
import { usdPerHour } from './observations.ts';

/** Usual price of one segment: model and verification within a series. */
export interface SegmentPrice {
  gpuName: string;
  verification: Verification | null;
  /** $/GPU/hour at the listed 8 GB, each offer once for each covering book that held it. */
  medianUsdPerGpuHour: number;
  observations: number;
}

const dayMs = 86_400_000;

/**
 * Medians over the covering books in (`at` − `days`, `at`], exact, without unfolding a row an offer and book:
 * presence, run and attributes intersect in time, and a binary search in the model's covering moments says how
 * many books an intersection holds, which is how often its price counts.
 */
export async function segmentPrices(
  db: Db,
  series: { marketId: number; scopeId: number; type: PricingType },
  window: { at: Date; days: number },
): Promise<SegmentPrice[]> {
  const { marketId, scopeId, type } = series;
  const { at } = window;
  const from = new Date(at.getTime() - window.days * dayMs);
  return await db<SegmentPrice[]>`
    with covering as materialized (
      select m.id as gpu_model_id, array_agg(b.observed_at order by b.observed_at) as moments
      from book b cross join gpu_model m
      where b.scope_id = ${scopeId} and b.type = ${type}
        and b.observed_at > ${from} and b.observed_at <= ${at}
        and (b.verdict = 'complete' or exists (select from book_slice c
          where c.book_id = b.id and c.gpu_model_id = m.id and c.verdict = 'complete'))
      group by m.id
    ), spans as (
      select l.gpu_model_id, a.verification_tier_id, ${usdPerHour(db, listedStorageGb)} / l.num_gpus as value,
        c.moments, greatest(p.first_at, r.valid_from, a.day::timestamp at time zone 'UTC') as begins,
        -- A span's last book belongs to it; what ends a run or a day of attributes does not.
        least(p.last_at + interval '1 microsecond', r.valid_to,
          a.valid_until::timestamp at time zone 'UTC') as ends
      from listing l
      join covering c on c.gpu_model_id = l.gpu_model_id
      join presence p on p.listing_id = l.id and p.scope_id = ${scopeId}
        and p.first_at <= ${at} and p.last_at > ${from}
      join price_run r on r.listing_id = l.id and r.scope_id = ${scopeId}
        and r.valid_from <= least(p.last_at, ${at}) and r.valid_to > greatest(p.first_at, ${from})
      join listing_attribute a on a.listing_id = l.id and a.valid_until is not null
        and a.day <= (least(p.last_at, ${at}) at time zone 'UTC')::date
        and a.valid_until > (greatest(p.first_at, ${from}) at time zone 'UTC')::date
      where l.market_id = ${marketId} and l.type = ${type}
    ), counted as materialized (
      -- width_bucket(x, moments): how many moments are at or before x. Materialised, or each row of the sort
      -- below would carry its moments along.
      select gpu_model_id, verification_tier_id, value,
        width_bucket(ends - interval '1 microsecond', moments)
          - width_bucket(begins - interval '1 microsecond', moments) as weight
      from spans where value is not null and ends > begins
    ), weighted as (
      select gpu_model_id, verification_tier_id, value, sum(weight)::bigint as weight
      from counted where weight > 0 group by 1, 2, 3
    ), running as (
      select gpu_model_id, verification_tier_id, value,
        sum(weight) over (partition by gpu_model_id, verification_tier_id order by value)::bigint as through,
        sum(weight) over (partition by gpu_model_id, verification_tier_id)::bigint as total
      from weighted
    )
    select m.name as "gpuName", v.name as verification, max(total)::bigint as observations,
      (min(value) filter (where through > (total - 1) / 2) + min(value) filter (where through > total / 2))
        / 2 as "medianUsdPerGpuHour"
    from running s
    join gpu_model m on m.id = s.gpu_model_id
    left join verification_tier v on v.id = s.verification_tier_id
    group by m.name, v.name`;
}

/** Changes whenever a book of the series lands, a late one too; null: no book yet. */
export async function seriesVersion(
  db: Db,
  series: { scopeId: number; type: PricingType },
): Promise<number | null> {
  const [row] = await db<{ id: number }[]>`
    select id from book where scope_id = ${series.scopeId} and type = ${series.type} order by id desc limit 1`;
  return row?.id ?? null;
}
