import type postgres from 'postgres';
import type { Bucket } from '../../src/core/bucket.ts';
import type { TrendMetric, UsageProfile } from '../../src/core/metric.ts';
import type { OfferFilter } from '../../src/core/offer-filter.ts';
import type { Db } from '../../src/database/connection.ts';
import { observations } from '../../src/prices/newest/observations.sql.ts';
import { filterCondition } from '../../src/prices/newest/offer-filter.sql.ts';
import { allInUsdPerHour, usdPerHour } from '../../src/prices/newest/price-figures.sql.ts';
import type { SeriesQuery, TrendPoint } from '../../src/prices/trends/trend-point.ts';

/**
 * Points of any bucket, metric and filter, in one SQL statement that unfolds a row an offer and book. Percentiles of buckets larger
 * than a book have nine significant digits. Source: docs/meaning.md#buckets.
 */
export async function plainPoints(
  db: Db,
  query: SeriesQuery,
  options: { bucket: Bucket; metric: TrendMetric; profile: UsageProfile; filter: OfferFilter },
): Promise<TrendPoint[]> {
  const { bucket, metric, profile, filter } = options;
  const books = db`${inRange(db, query)} and ${covers(db, query.gpuName)}`;
  const condition = filterCondition(db, filter, { attributes: 'a', storageGb: profile.storageGb });
  const listings = db`${ofModel(db, query.gpuName, db`l.gpu_model_id`, true)} and ${condition}`;
  const rows = await db<TrendPoint[]>`
    with seen as materialized (
      select o.*, ${metricValue(db, metric, profile)} as value
      from (${observations(db, { books, listings })}) o
    ), covering as (
      select b.id as book_id, ${bucketStart(db, bucket)} as t from book b where ${books}
    ), physical as (
      select book_id, gpu_model_id, machine_id,
        case when bool_or(gpu_ids is not null) then count(distinct gpu_id) else max(num_gpus) end as gpus,
        bool_and(gpu_ids is null) as is_lower_bound
      from seen left join lateral unnest(gpu_ids) as ids(gpu_id) on true
      group by 1, 2, 3
    ), machine_supply as (
      select book_id, sum(gpus) as gpus, bool_or(is_lower_bound) as is_lower_bound from physical group by 1
    ), supply as (
      select book_id, count(*) as offers, sum(num_gpus) as gpus, count(distinct machine_id) as machines
      from seen group by 1
    ), counts as (
      select c.t, count(*)::int as books, coalesce(sum(s.offers), 0) / count(*) as offers,
        coalesce(sum(s.gpus), 0) / count(*) as gpus, coalesce(sum(s.machines), 0) / count(*) as machines,
        coalesce(sum(m.gpus), 0) / count(*) as physical, coalesce(bool_or(m.is_lower_bound), false) as bound
      from covering c left join supply s using (book_id) left join machine_supply m using (book_id)
      group by 1
    ), prices as (
      select c.t, count(value)::int as observations, min(value) as min, max(value) as max,
        percentile_cont(array[0.1, 0.25, 0.5, 0.75, 0.9]) within group (order by value) as percentiles
      from seen join covering c using (book_id) group by 1
    )
    select t, books, coalesce(observations, 0) as observations, offers::float8, gpus::float8,
      machines::float8, physical::float8 as "physicalGpus", bound as "physicalGpusIsLowerBound", min,
      percentiles[1] as p10, percentiles[2] as p25, percentiles[3] as median, percentiles[4] as p75,
      percentiles[5] as p90, max
    from counts left join prices using (t)
    order by t`;
  return bucket === 'book' ? rows : rows.map(withNineDigits);
}

/** The value of a trend's metric, over the columns of observations; null: the offer has none. */
function metricValue(db: Db, metric: TrendMetric, profile: UsageProfile): postgres.Fragment {
  const price = usdPerHour(db, profile.storageGb);
  switch (metric) {
    case 'usdPerHour':
      return price;
    case 'usdPerGpuHour':
      return db`${price} / num_gpus`;
    case 'usdPerDlperfHour':
      return db`${price} / nullif(dlperf, 0)`;
    case 'allInUsdPerHour':
      return allInUsdPerHour(db, profile);
  }
}

const inRange = (db: Db, { scopeId, type, from, to }: SeriesQuery): postgres.Fragment =>
  db`b.scope_id = ${scopeId} and b.type = ${type} and b.observed_at >= ${from} and b.observed_at < ${to}`;

const covers = (db: Db, gpuName: string | null): postgres.Fragment =>
  gpuName === null
    ? db`b.verdict = 'complete'`
    : db`(b.verdict = 'complete' or exists (select from book_slice c join gpu_model m on m.id = c.gpu_model_id
        where c.book_id = b.id and m.name = ${gpuName} and c.verdict = 'complete'))`;

function ofModel(db: Db, gpuName: string | null, column: postgres.Fragment, all = false): postgres.Fragment {
  if (gpuName === null) return all ? db`true` : db`${column} is null`;
  return db`${column} = (select id from gpu_model where name = ${gpuName})`;
}

function bucketStart(db: Db, bucket: Bucket): postgres.Fragment {
  if (bucket === 'book') return db`b.observed_at`;
  const unit = { '1h': 'hour', '1d': 'day', '1w': 'week' }[bucket];
  return db`date_trunc(${unit}, b.observed_at, 'UTC')`;
}

function withNineDigits(point: TrendPoint): TrendPoint {
  const round = (value: number | null) => (value === null ? null : Number(value.toPrecision(9)));
  const { p10, p25, median, p75, p90 } = point;
  return {
    ...point,
    p10: round(p10),
    p25: round(p25),
    median: round(median),
    p75: round(p75),
    p90: round(p90),
  };
}
