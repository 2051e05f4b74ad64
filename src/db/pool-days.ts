import type { PricingType } from '../domain/offer.ts';
import type { PoolEntry } from '../domain/pool-day.ts';
import { listedStorageGb } from '../domain/price.ts';
import type { Db } from './connection.ts';
import { usdPerHour } from './observations.ts';

export interface PoolSeries {
  marketId: number;
  scopeId: number;
  type: PricingType;
}

/** The books of one UTC day of a series. */
export interface BookDay {
  /** YYYY-MM-DD */
  day: string;
  /** The highest id of a book of this day or an earlier one: while it stands, the day's prices stand. */
  newestBookId: number;
  /** Moments of the day's first and last complete book; null: none was complete. */
  firstCompleteAt: Date | null;
  lastCompleteAt: Date | null;
  books: number;
}

/** Days with books before `before`, from the day `from` on, in order. */
export async function readBookDays(
  db: Db,
  { scopeId, type }: PoolSeries,
  range: { from: string; before: Date },
): Promise<BookDay[]> {
  return await db<BookDay[]>`
    select to_char(day, 'YYYY-MM-DD') as day, greatest(max(newest) over (order by day), (
        select max(id) from book where scope_id = ${scopeId} and type = ${type}
          and observed_at < ${range.from}::date::timestamp at time zone 'UTC'))::int as "newestBookId",
      first_complete as "firstCompleteAt", last_complete as "lastCompleteAt", books
    from (
      select (observed_at at time zone 'UTC')::date as day, max(id) as newest, count(*)::int as books,
        min(observed_at) filter (where verdict = 'complete') as first_complete,
        max(observed_at) filter (where verdict = 'complete') as last_complete
      from book where scope_id = ${scopeId} and type = ${type} and observed_at < ${range.before}
        and observed_at >= ${range.from}::date::timestamp at time zone 'UTC'
      group by 1) days
    order by day`;
}

/** A day on which books that are not complete as a whole were complete for a model. */
export interface SliceDay {
  gpuModelId: number;
  day: string;
  firstAt: Date;
  lastAt: Date;
}

/** Complete slices of partial books in the same range. */
export async function readSliceDays(
  db: Db,
  { scopeId, type }: PoolSeries,
  range: { from: string; before: Date },
): Promise<SliceDay[]> {
  return await db<SliceDay[]>`
    select s.gpu_model_id as "gpuModelId", to_char(b.observed_at at time zone 'UTC', 'YYYY-MM-DD') as day,
      min(b.observed_at) as "firstAt", max(b.observed_at) as "lastAt"
    from book b join book_slice s on s.book_id = b.id and s.verdict = 'complete' and s.gpu_model_id is not null
    where b.scope_id = ${scopeId} and b.type = ${type} and b.verdict = 'partial'
      and b.observed_at < ${range.before}
      and b.observed_at >= ${range.from}::date::timestamp at time zone 'UTC'
    group by 1, 2`;
}

/** An entry of a pool with its day and model. */
export interface PoolRow extends PoolEntry {
  day: string;
  gpuModelId: number;
}

/**
 * Prices by machine of the covering books in [from, before), one row a day, model, machine, tier and price, from
 * presence, runs and attributes alone. Listings of which no covering book of the day had one are missing.
 */
export async function computePoolRows(
  db: Db,
  { marketId, scopeId, type }: PoolSeries,
  range: { from: Date; before: Date },
): Promise<PoolRow[]> {
  const { from, before } = range;
  return await db<PoolRow[]>`
    with covering as materialized (
      select m.id as gpu_model_id, (b.observed_at at time zone 'UTC')::date as day,
        array_agg(b.observed_at order by b.observed_at) as moments
      from book b cross join gpu_model m
      where b.scope_id = ${scopeId} and b.type = ${type}
        and b.observed_at >= ${from} and b.observed_at < ${before}
        and (b.verdict = 'complete' or exists (select from book_slice c
          where c.book_id = b.id and c.gpu_model_id = m.id and c.verdict = 'complete'))
      group by 1, 2
    ), spans as materialized (
      select l.gpu_model_id, l.machine_id, a.host_id, a.verification_tier_id,
        ${usdPerHour(db, listedStorageGb)} / l.num_gpus as value,
        greatest(p.first_at, r.valid_from, a.day::timestamp at time zone 'UTC', ${from}) as begins,
        -- A span's last book belongs to it; what ends a run or a day of attributes does not.
        least(p.last_at + interval '1 microsecond', r.valid_to,
          a.valid_until::timestamp at time zone 'UTC', ${before}) as ends
      from presence p
      join listing l on l.id = p.listing_id and l.market_id = ${marketId} and l.type = ${type}
      join price_run r on r.listing_id = p.listing_id and r.scope_id = ${scopeId}
        and r.valid_from <= p.last_at and r.valid_to > p.first_at
        and r.valid_from < ${before} and r.valid_to > ${from}
      join listing_attribute a on a.listing_id = p.listing_id and a.valid_until is not null
        and a.day <= (least(p.last_at, ${before}) at time zone 'UTC')::date
        and a.valid_until > (greatest(p.first_at, ${from}) at time zone 'UTC')::date
      where p.scope_id = ${scopeId} and p.first_at < ${before} and p.last_at >= ${from}
    ), seen as (
      select s.*, c.day, c.moments,
        -- width_bucket(x, moments): how many moments are at or before x.
        width_bucket(s.begins - interval '1 microsecond', c.moments) + 1 as first_place,
        width_bucket(s.ends - interval '1 microsecond', c.moments) as last_place
      from spans s
      join covering c on c.gpu_model_id = s.gpu_model_id
        and c.day >= (s.begins at time zone 'UTC')::date and c.day <= (s.ends at time zone 'UTC')::date
      where s.value is not null and s.ends > s.begins
    )
    select to_char(day, 'YYYY-MM-DD') as day, gpu_model_id as "gpuModelId", machine_id as "machineId",
      max(host_id) as "hostId", verification_tier_id as "tierId", value as "usdPerGpuHour",
      min((extract(epoch from moments[first_place] at time zone 'UTC' - day) * 1000)::int) as "firstMs",
      max((extract(epoch from moments[last_place] at time zone 'UTC' - day) * 1000)::int) as "lastMs"
    from seen where last_place >= first_place
    group by day, gpu_model_id, machine_id, verification_tier_id, value`;
}

/** Days whose prices are stored, with the book that they hold for. */
export async function readStoredDays(
  db: Db,
  { scopeId, type }: PoolSeries,
  from: string,
): Promise<{ day: string; newestBookId: number }[]> {
  return await db<{ day: string; newestBookId: number }[]>`
    select to_char(day, 'YYYY-MM-DD') as day, newest_book_id as "newestBookId" from pool_day
    where scope_id = ${scopeId} and type = ${type} and day >= ${from}::date order by day`;
}

/** The stored prices of some days, packed. */
export async function readStoredPrices(
  db: Db,
  { scopeId, type }: PoolSeries,
  days: readonly string[],
): Promise<{ day: string; gpuModelId: number; prices: Uint8Array }[]> {
  return await db<{ day: string; gpuModelId: number; prices: Uint8Array }[]>`
    select to_char(day, 'YYYY-MM-DD') as day, gpu_model_id as "gpuModelId", prices from pool_day_model
    where scope_id = ${scopeId} and type = ${type} and day = any(${[...days]}::date[])`;
}

/** Stores a day's prices by model, in the place of those of fewer books. */
export async function storePoolDay(
  db: Db,
  { scopeId, type }: PoolSeries,
  day: { day: string; newestBookId: number; models: ReadonlyMap<number, Uint8Array> },
): Promise<void> {
  const models = [...day.models];
  await db`
    with head as (
      insert into pool_day (scope_id, type, day, newest_book_id)
      values (${scopeId}, ${type}, ${day.day}::date, ${day.newestBookId})
      on conflict (scope_id, type, day) do update set newest_book_id = excluded.newest_book_id
      returning day
    ), outdated as (
      delete from pool_day_model where scope_id = ${scopeId} and type = ${type} and day = ${day.day}::date
        and gpu_model_id <> all(${models.map(([id]) => id)}::smallint[])
    )
    insert into pool_day_model (scope_id, type, day, gpu_model_id, prices)
    select ${scopeId}, ${type}, head.day, m.id, decode(m.prices, 'base64')
    from head cross join unnest(${models.map(([id]) => id)}::smallint[],
      ${models.map(([, bytes]) => Buffer.from(bytes).toString('base64'))}::text[]) as m(id, prices)
    on conflict (scope_id, type, day, gpu_model_id) do update set prices = excluded.prices`;
}

/** Drops all stored days, which are worked out again when they are asked for. Returns how many. */
export async function dropPoolDays(db: Db): Promise<number> {
  const dropped = await db`delete from pool_day`;
  return dropped.count;
}

/** Ids of models and verification tiers by their names. */
export async function readDictionaries(
  db: Db,
): Promise<{ gpuModels: Map<string, number>; tiers: Map<string, number> }> {
  const rows = await db<{ kind: string; id: number; name: string }[]>`
    select 'model' as kind, id, name from gpu_model union all select 'tier', id, name from verification_tier`;
  const of = (kind: string) =>
    new Map(rows.filter((row) => row.kind === kind).map(({ name, id }) => [name, id]));
  return { gpuModels: of('model'), tiers: of('tier') };
}
