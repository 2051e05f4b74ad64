import type { PricingType, Verification } from '../domain/offer.ts';
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
const listedStorageGb = 8;

/**
 * Medians over the covering books in (`at` − `days`, `at`], exact, without unfolding a row an offer and book:
 * covering books of a model are numbered, so that presence, run and attributes intersect as numbers and the
 * difference is how often a price counts. Rows: one a price run, span and attribute row.
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
      select m.id as gpu_model_id, b.observed_at, (b.observed_at at time zone 'UTC')::date as day,
        row_number() over (partition by m.id order by b.observed_at) as n
      from book b cross join gpu_model m
      where b.scope_id = ${scopeId} and b.type = ${type}
        and b.observed_at > ${from} and b.observed_at <= ${at}
        and (b.verdict = 'complete' or exists (select from book_slice c
          where c.book_id = b.id and c.gpu_model_id = m.id and c.verdict = 'complete'))
    ), daily as (
      select gpu_model_id, day, min(n) as first_n, max(n) as last_n from covering group by 1, 2
    ), extent as (
      select gpu_model_id, max(last_n) + 1 as end_n from daily group by 1
    ), day_start as materialized (
      -- n of the first book on or after each day of the window.
      select e.gpu_model_id, g.day::date as day, coalesce(min(d.first_n), e.end_n) as n
      from extent e
      cross join generate_series((${from}::timestamptz at time zone 'UTC')::date,
        (${at}::timestamptz at time zone 'UTC')::date, interval '1 day') as g(day)
      left join daily d on d.gpu_model_id = e.gpu_model_id and d.day >= g.day::date
      group by e.gpu_model_id, g.day, e.end_n
    ), spans as (
      select l.gpu_model_id, a.verification_tier_id, ${usdPerHour(db, listedStorageGb)} / l.num_gpus as value,
        -- What began before the window is not numbered and starts at 1; what goes on ends after its last book.
        greatest(coalesce(pf.n, 1), coalesce(rf.n, 1), coalesce(af.n, 1)) as from_n,
        least(coalesce(pt.n + 1, e.end_n), coalesce(rt.n, e.end_n), coalesce(au.n, e.end_n)) as end_n
      from listing l
      join extent e on e.gpu_model_id = l.gpu_model_id
      join presence p on p.listing_id = l.id and p.scope_id = ${scopeId}
        and p.first_at <= ${at} and p.last_at > ${from}
      join price_run r on r.listing_id = l.id and r.scope_id = ${scopeId}
        and r.valid_from <= least(p.last_at, ${at}) and r.valid_to > greatest(p.first_at, ${from})
      join listing_attribute a on a.listing_id = l.id and a.valid_until is not null
        and a.day <= (least(p.last_at, ${at}) at time zone 'UTC')::date
        and a.valid_until > (greatest(p.first_at, ${from}) at time zone 'UTC')::date
      left join covering pf on pf.gpu_model_id = l.gpu_model_id and pf.observed_at = p.first_at
      left join covering pt on pt.gpu_model_id = l.gpu_model_id and pt.observed_at = p.last_at
      left join covering rf on rf.gpu_model_id = l.gpu_model_id and rf.observed_at = r.valid_from
      left join covering rt on rt.gpu_model_id = l.gpu_model_id and rt.observed_at = r.valid_to
      left join day_start af on af.gpu_model_id = l.gpu_model_id and af.day = a.day
      left join day_start au on au.gpu_model_id = l.gpu_model_id and au.day = a.valid_until
      where l.market_id = ${marketId} and l.type = ${type}
    ), weighted as (
      select gpu_model_id, verification_tier_id, value, sum(end_n - from_n)::bigint as weight
      from spans where end_n > from_n and value is not null group by 1, 2, 3
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
