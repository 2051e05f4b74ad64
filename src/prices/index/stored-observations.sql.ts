import type { PricingType } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';

/** One market's default scope and a pricing type; days count from 1970. */
export interface IndexSeries {
  marketId: number;
  scopeId: number;
  type: PricingType;
}

/** Days from the first to the last, both inclusive. */
export interface DayRange {
  first: number;
  last: number;
}

/** Model 0, with no bytes: the day has been computed. */
const head = 0;

/**
 * Replaces the observations of a day with `models`, packed, by model; null: the day has no book left. Returns the
 * models whose observations changed.
 */
export async function storeObservations(
  tx: Db,
  { scopeId, type }: IndexSeries,
  day: number,
  models: ReadonlyMap<number, Buffer> | null,
): Promise<number[]> {
  const all = models === null ? [] : [[head, Buffer.alloc(0)] as const, ...models];
  const ids = all.map(([id]) => id);
  const rows = await tx<{ id: number }[]>`
    with fresh as (
      select id, decode(bytes, 'base64') as bytes
      from unnest(${ids}::int2[], ${all.map(([, bytes]) => bytes.toString('base64'))}::text[]) as m(id, bytes)
    ), gone as (
      -- By model, of which there are few: each takes one walk down the key.
      delete from index_observation o using (select id from gpu_model union all select ${head}) m
      where o.scope_id = ${scopeId} and o.type = ${type} and o.gpu_model_id = m.id and o.day = ${dateOf(tx, day)}
        and m.id <> all(${ids}::int2[])
      returning o.gpu_model_id as id
    ), stored as (
      insert into index_observation as o (scope_id, type, gpu_model_id, day, observations)
      select ${scopeId}, ${type}, id, ${dateOf(tx, day)}, bytes from fresh
      on conflict (scope_id, type, gpu_model_id, day) do update set observations = excluded.observations
        where o.observations <> excluded.observations
      returning gpu_model_id as id
    )
    select id from gone union all select id from stored`;
  return rows.map(({ id }) => id).filter((id) => id !== head);
}

/** Returns the days of a range that have books but no stored observations. */
export async function findMissingDays(
  db: Db,
  { scopeId, type }: IndexSeries,
  { first, last }: DayRange,
): Promise<number[]> {
  const rows = await db<{ day: number }[]>`
    select b.day - '1970-01-01'::date as day from book_day b
    where b.scope_id = ${scopeId} and b.type = ${type} and b.books > 0
      and b.day between ${dateOf(db, first)} and ${dateOf(db, last)}
      and not exists (select from index_observation o where o.scope_id = ${scopeId} and o.type = ${type}
        and o.gpu_model_id = ${head} and o.day = b.day)
    order by 1`;
  return rows.map(({ day }) => day);
}

/** Returns a model's packed observations in a range, by day. */
export async function readObservations(
  db: Db,
  { scopeId, type }: IndexSeries,
  gpuModelId: number,
  { first, last }: DayRange,
): Promise<Map<number, Buffer>> {
  const rows = await db<{ day: number; observations: Buffer }[]>`
    select day - '1970-01-01'::date as day, observations from index_observation
    where scope_id = ${scopeId} and type = ${type} and gpu_model_id = ${gpuModelId}
      and day between ${dateOf(db, first)} and ${dateOf(db, last)}`;
  return new Map(rows.map(({ day, observations }) => [day, observations]));
}

/** Deletes the stored observations of a range; they are recomputed when needed. */
export async function dropObservations(
  tx: Db,
  { scopeId, type }: IndexSeries,
  { first, last }: DayRange,
): Promise<number> {
  const gone = await tx`delete from index_observation where scope_id = ${scopeId} and type = ${type}
    and day between ${dateOf(tx, first)} and ${dateOf(tx, last)}`;
  return gone.count;
}

/** SQL of a day as a date. */
export const dateOf = (db: Db, day: number) => db`('1970-01-01'::date + ${day}::int)`;
