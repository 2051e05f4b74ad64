import type postgres from 'postgres';
import type { Bucket } from '../domain/bucket.ts';
import type { TrendMetric, UsageProfile } from '../domain/metric.ts';
import type { PricingType } from '../domain/offer.ts';
import type { OfferFilter } from '../domain/offer-filter.ts';
import type { Db } from './connection.ts';
import { observations } from './observations.ts';
import { filterCondition } from './offer-filter.ts';
import { metricValue } from './price-figures.ts';

export interface TrendPoint {
  /** Start of the bucket; of a book its moment. */
  t: Date;
  /** Complete books of the bucket. */
  books: number;
  /** Prices pooled: each offer once for each book that held it. */
  observations: number;
  /** Means a complete book. */
  offers: number;
  gpus: number;
  machines: number;
  physicalGpus: number;
  /** true: some machine lists no GPU ids, so its largest offer was counted. */
  physicalGpusIsLowerBound: boolean;
  /** null: no offer of the bucket has this figure. */
  min: number | null;
  p10: number | null;
  p25: number | null;
  median: number | null;
  p75: number | null;
  p90: number | null;
  max: number | null;
}

export interface SeriesQuery {
  scopeId: number;
  type: PricingType;
  /** null: all models. */
  gpuName: string | null;
  from: Date;
  to: Date;
}

/**
 * Points of single books from the stored statistics. A covering book that held nothing of the model has a
 * point with counts of 0; books whose points were dropped are missing.
 */
export async function storedBookPoints(db: Db, query: SeriesQuery): Promise<TrendPoint[]> {
  return await db<TrendPoint[]>`
    select b.observed_at as t, 1 as books, coalesce(p.observations, 0) as observations,
      coalesce(p.offers, 0) as offers, coalesce(p.gpus, 0) as gpus, coalesce(p.machines, 0) as machines,
      coalesce(p.physical_gpus, 0) as "physicalGpus",
      coalesce(p.physical_gpus_is_lower_bound, false) as "physicalGpusIsLowerBound",
      p.min, p.p10, p.p25, p.median, p.p75, p.p90, p.max
    from book b
    left join book_point p on p.book_id = b.id and ${ofModel(db, query.gpuName, db`p.gpu_model_id`)}
    where ${inRange(db, query)} and ${covers(db, query.gpuName)}
      and exists (select from book_point any_point where any_point.book_id = b.id)
    order by b.observed_at`;
}

/**
 * Points of any bucket, metric and filter, computed from runs and presence. Percentiles of buckets larger
 * than a book have nine significant digits. Source: semantics.md, Statistics.
 */
export async function computedPoints(
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

export interface Coverage {
  books: number;
  complete: number;
  partial: number;
  failed: number;
  /** Moments of the first and last complete book; null: none. */
  first: Date | null;
  last: Date | null;
}

/**
 * How many books of the series there are in the range, and how many attempts failed. With a model, a book
 * whose slice of it is complete counts as complete.
 */
export async function bookCoverage(db: Db, query: SeriesQuery): Promise<Coverage> {
  const [row] = await db<Coverage[]>`
    select count(*)::int as books, (count(*) filter (where covering))::int as complete,
      (count(*) filter (where not covering))::int as partial,
      (select count(*)::int from crawl_run r join scope s on s.market_id = r.market_id
        and s.name = r.scope_name
        where s.id = ${query.scopeId} and r.type = ${query.type} and r.outcome = 'failed'
          and r.started_at >= ${query.from} and r.started_at < ${query.to}) as failed,
      min(observed_at) filter (where covering) as first, max(observed_at) filter (where covering) as last
    from (select b.observed_at, ${covers(db, query.gpuName)} as covering from book b
      where ${inRange(db, query)}) books`;
  return row ?? { books: 0, complete: 0, partial: 0, failed: 0, first: null, last: null };
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
