import type postgres from 'postgres';
import type { Db } from './connection.ts';
import { observations, usdPerHour } from './observations.ts';

/** Storage of the listed figures, GB: semantics.md, Prices. */
const listedStorageGb = 8;

/**
 * Makes again the points of the books that `books` (alias b) names: per model that a book covers and, where
 * it is complete, over all models. A covered model without offers has no point: its counts are 0.
 */
export async function computeBookPoints(db: Db, books: postgres.Fragment): Promise<number> {
  await db`delete from book_point using book b where b.id = book_point.book_id and ${books}`;
  const points = await db`
    with seen as materialized (
      select *, ${usdPerHour(db, listedStorageGb)} / num_gpus as value from (${observations(db, { books })}) o
    ), physical as (
      select book_id, gpu_model_id, machine_id,
        case when bool_or(gpu_ids is not null) then count(distinct gpu_id) else max(num_gpus) end as gpus,
        bool_and(gpu_ids is null) as is_lower_bound
      from seen left join lateral unnest(gpu_ids) as ids(gpu_id) on true
      group by 1, 2, 3
    ), supply as (
      select book_id, gpu_model_id, sum(gpus) as gpus, bool_or(is_lower_bound) as is_lower_bound
      from physical group by grouping sets ((book_id, gpu_model_id), (book_id))
    ), figures as (
      select book_id, gpu_model_id, count(value) as observations, count(*) as offers, sum(num_gpus) as gpus,
        count(distinct machine_id) as machines, min(value) as min, max(value) as max,
        percentile_cont(array[0.1, 0.25, 0.5, 0.75, 0.9]) within group (order by value) as percentiles
      from seen group by grouping sets ((book_id, gpu_model_id), (book_id))
    )
    insert into book_point (book_id, gpu_model_id, observations, offers, gpus, machines, physical_gpus,
      physical_gpus_is_lower_bound, min, p10, p25, median, p75, p90, max)
    select f.book_id, f.gpu_model_id, f.observations, f.offers, f.gpus, f.machines, s.gpus, s.is_lower_bound, f.min,
      percentiles[1], percentiles[2], percentiles[3], percentiles[4], percentiles[5], f.max
    from figures f
    join supply s on s.book_id = f.book_id and s.gpu_model_id is not distinct from f.gpu_model_id
    join book b on b.id = f.book_id
    where f.gpu_model_id is not null or b.verdict = 'complete'`;
  return points.count;
}
