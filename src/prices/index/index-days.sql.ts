import { assignments, columnList, differIn } from '../../database/column-lists.ts';
import type { Db } from '../../database/connection.ts';
import type { Contrast, FittedIndexDay, IndexDay } from './index-day.ts';
import { type HostInfluences, packInfluences, unpackInfluences } from './pack-influences.ts';
import { type DayRange, dateOf, type IndexSeries } from './stored-observations.sql.ts';

/** The stored index of a model on a day. */
export interface StoredIndexDay extends IndexDay {
  gpuModelId: number;
  /** Since 1970. */
  day: number;
}

/** A stored day with its computed influences. */
export type MadeIndexDay = StoredIndexDay & FittedIndexDay;

const contrasts = ['movement', 'week', 'month'] as const;
const counts = ['listings', 'machines', 'hosts', 'observations', 'listings_left_out', 'prices_left_out'];
const valueColumns = [
  ...contrasts.flatMap((name) => [`${name}_days`, name, `${name}_error`]),
  ...counts,
  'host_influences',
];

/** Replaces the index of the models and days in `targets` with `rows`; equal rows are not written again. */
export async function writeIndexDays(
  tx: Db,
  { scopeId, type }: IndexSeries,
  targets: readonly { gpuModelId: number; day: number }[],
  rows: readonly MadeIndexDay[],
): Promise<void> {
  const written = new Set(rows.map(({ gpuModelId, day }) => `${gpuModelId} ${day}`));
  const gone = targets.filter(({ gpuModelId, day }) => !written.has(`${gpuModelId} ${day}`));
  await tx`
    delete from index_day d
    using unnest(${gone.map(({ gpuModelId }) => gpuModelId)}::int2[], ${gone.map(({ day }) => day)}::int[]) as g(model, day)
    where d.scope_id = ${scopeId} and d.type = ${type} and d.gpu_model_id = g.model
      and d.day = '1970-01-01'::date + g.day`;
  const names = columnList(tx, valueColumns);
  await tx`
    insert into index_day as d (scope_id, type, gpu_model_id, day, ${names})
    select ${scopeId}, ${type}, gpu_model_id, '1970-01-01'::date + day_number, ${names}
    from jsonb_to_recordset(${tx.json(rows.map(recordOf))}) as r (gpu_model_id int2, day_number int,
      movement_days int2, movement float8, movement_error float8, week_days int2, week float8, week_error float8,
      month_days int2, month float8, month_error float8, listings int, machines int, hosts int, observations int,
      listings_left_out int, prices_left_out int, host_influences bytea)
    on conflict (scope_id, type, gpu_model_id, day) do update set ${assignments(tx, valueColumns, 'excluded')}
      where ${differIn(tx, valueColumns, 'd', 'excluded')}`;
}

const recordOf = ({ gpuModelId, day, ...own }: MadeIndexDay) => ({
  gpu_model_id: gpuModelId,
  day_number: day,
  ...Object.fromEntries(contrasts.flatMap((name) => columnsOf(name, own[name]))),
  listings: own.listings,
  machines: own.machines,
  hosts: own.hosts,
  observations: own.observations,
  listings_left_out: own.listingsLeftOut,
  prices_left_out: own.pricesLeftOut,
  host_influences: own.influences === null ? null : `\\x${packInfluences(own.influences).toString('hex')}`,
});

const columnsOf = (name: string, contrast: Contrast | null): [string, number | null][] => [
  [`${name}_days`, contrast?.daysBefore ?? null],
  [name, contrast?.change ?? null],
  [`${name}_error`, contrast?.error ?? null],
];

/** Returns the models with stored observations or an index in a range. */
export async function findIndexModels(
  db: Db,
  { scopeId, type }: IndexSeries,
  { first, last }: DayRange,
): Promise<number[]> {
  const within = db`scope_id = ${scopeId} and type = ${type} and day between ${dateOf(db, first)} and ${dateOf(db, last)}`;
  const rows = await db<{ id: number }[]>`
    select gpu_model_id as id from index_observation where gpu_model_id <> 0 and ${within}
    union select gpu_model_id from index_day where ${within} order by 1`;
  return rows.map(({ id }) => id);
}

/** Deletes stored days on which the series has no book. */
export async function dropDaysWithoutBooks(
  tx: Db,
  { scopeId, type }: Omit<IndexSeries, 'marketId'>,
): Promise<void> {
  for (const table of ['index_day', 'index_observation']) {
    await tx`
      delete from ${tx(table)} d where d.scope_id = ${scopeId} and d.type = ${type} and not exists (
        select from book_day b where b.scope_id = d.scope_id and b.type = d.type and b.day = d.day and b.books > 0)`;
  }
}

/** Whether a series has complete books and no index at all: they were stored before there was one. */
export async function lacksIndex(
  db: Db,
  { scopeId, type }: Pick<IndexSeries, 'scopeId' | 'type'>,
): Promise<boolean> {
  const [row] = await db<{ lacks: boolean }[]>`
    select exists (select from book where scope_id = ${scopeId} and type = ${type} and verdict = 'complete')
      and not exists (select from index_day where scope_id = ${scopeId} and type = ${type}) as lacks`;
  return row?.lacks === true;
}

type Flat = Record<`${(typeof contrasts)[number]}Days` | (typeof contrasts)[number], number | null> &
  Record<`${(typeof contrasts)[number]}Error`, number | null>;
type FlatIndexDay = Flat & Omit<StoredIndexDay, (typeof contrasts)[number]>;

const storedColumns = (db: Db) => db`
  d.gpu_model_id as "gpuModelId", d.day - '1970-01-01'::date as day, d.movement_days as "movementDays", d.movement,
  d.movement_error as "movementError", d.week_days as "weekDays", d.week, d.week_error as "weekError",
  d.month_days as "monthDays", d.month, d.month_error as "monthError", d.listings, d.machines, d.hosts, d.observations,
  d.listings_left_out as "listingsLeftOut", d.prices_left_out as "pricesLeftOut"`;

/** Returns a model's index up to a day, oldest first. */
export async function readIndexDays(
  db: Db,
  { scopeId, type }: Pick<IndexSeries, 'scopeId' | 'type'>,
  gpuName: string,
  last: number,
): Promise<StoredIndexDay[]> {
  const rows = await db<FlatIndexDay[]>`
    select ${storedColumns(db)} from index_day d
    where d.scope_id = ${scopeId} and d.type = ${type} and d.day <= ${dateOf(db, last)}
      and d.gpu_model_id = (select id from gpu_model where name = ${gpuName})
    order by d.day`;
  return rows.map(indexDayOf);
}

/** Returns each host's contribution to the error of a model's movements by day of a range; a missing day is unknown. */
export async function readInfluences(
  db: Db,
  { scopeId, type }: Pick<IndexSeries, 'scopeId' | 'type'>,
  gpuName: string,
  { first, last }: DayRange,
): Promise<Map<number, HostInfluences>> {
  const rows = await db<{ day: number; influences: Buffer }[]>`
    select d.day - '1970-01-01'::date as day, d.host_influences as influences from index_day d
    where d.scope_id = ${scopeId} and d.type = ${type} and d.host_influences is not null
      and d.day between ${dateOf(db, first)} and ${dateOf(db, last)}
      and d.gpu_model_id = (select id from gpu_model where name = ${gpuName})`;
  return new Map(rows.map(({ day, influences }) => [day, unpackInfluences(influences)]));
}

/** Returns the newest index day of each model within a range, by model name. */
export async function readNewestIndexDays(
  db: Db,
  { scopeId, type }: Pick<IndexSeries, 'scopeId' | 'type'>,
  { first, last }: DayRange,
): Promise<Map<string, StoredIndexDay>> {
  const rows = await db<(FlatIndexDay & { gpuName: string })[]>`
    select distinct on (d.gpu_model_id) m.name as "gpuName", ${storedColumns(db)}
    from index_day d join gpu_model m on m.id = d.gpu_model_id
    where d.scope_id = ${scopeId} and d.type = ${type}
      and d.day between ${dateOf(db, first)} and ${dateOf(db, last)}
    order by d.gpu_model_id, d.day desc`;
  return new Map(rows.map((row) => [row.gpuName, indexDayOf(row)]));
}

const indexDayOf = (row: FlatIndexDay): StoredIndexDay => ({
  gpuModelId: row.gpuModelId,
  day: row.day,
  listings: row.listings,
  machines: row.machines,
  hosts: row.hosts,
  observations: row.observations,
  listingsLeftOut: row.listingsLeftOut,
  pricesLeftOut: row.pricesLeftOut,
  movement: contrastOf(row.movementDays, row.movement, row.movementError),
  week: contrastOf(row.weekDays, row.week, row.weekError),
  month: contrastOf(row.monthDays, row.month, row.monthError),
});

const contrastOf = (daysBefore: number | null, change: number | null, error: number | null) =>
  daysBefore === null || change === null ? null : { daysBefore, change, error };
