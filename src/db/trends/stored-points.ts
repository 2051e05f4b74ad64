import type postgres from 'postgres';
import type { Bucket } from '../../domain/bucket.ts';
import type { Verification } from '../../domain/offer.ts';
import type { Db } from '../connection.ts';
import {
  fromMicroseconds,
  readFlags,
  readFloat8s,
  readInt4s,
  readInt8s,
  type SentArray,
} from '../spans/sent-array.ts';
import { emptyPoint, type SeriesQuery, type TrendPoint } from './trend-point.ts';

/** A cell of level B; null: level A. */
export type Segment = { numGpus: number; verification: Verification } | null;

const tables = { '1h': 'hour_point', '1d': 'day_point', '1w': 'week_point' } as const;

/**
 * Points of hours, days and weeks from the stored statistics, supply as means. A bucket with complete books that held
 * nothing of the model has a point with counts of 0.
 */
export async function storedPoints(
  db: Db,
  query: SeriesQuery,
  bucket: Exclude<Bucket, 'book'>,
  segment: Segment,
): Promise<TrendPoint[]> {
  const { scopeId, type, from, to } = query;
  const cells = await cellsOf(db, query, segment);
  const own = cells?.at(-1);
  if (cells === null || own === undefined) return [];
  const wider = cells.slice(0, -1);
  const table = db(tables[bucket]);
  const inRange = db`p.scope_id = ${scopeId} and p.type = ${type} and p.t >= ${from} and p.t < ${to}`;
  // One short walk down the key a cell: `in` over rows would read the whole of a type.
  const [row] = await db<(SentPoints & Record<'widerT' | 'widerBooks', SentArray>)[]>`
    select * from (select ${sentPoints(db)} from (select p.* from ${table} p
        where ${inRange} and p.gpu_model_id = ${own.model} and p.num_gpus = ${own.numGpus}
          and p.verification_tier_id = ${own.tier} order by p.t) p) own
    cross join (select array_send(array_agg(p.t order by c.place)) as "widerT",
        array_send(array_agg(p.books order by c.place)) as "widerBooks"
      from unnest(${wider.map(({ model }) => model)}::int2[], ${wider.map(({ numGpus }) => numGpus)}::int2[],
          ${wider.map(({ tier }) => tier)}::int2[]) with ordinality as c(model, num_gpus, tier, place)
      join ${table} p on ${inRange} and p.gpu_model_id = c.model and p.num_gpus = c.num_gpus
        and p.verification_tier_id = c.tier) wider`;
  if (row === undefined) return [];
  const points = readPoints(row);
  // The model's own row, the later one, knows of slices too.
  const books = readInt4s(row.widerBooks);
  const blank = new Map(Array.from(readInt8s(row.widerT), (t, index) => [t, books[index] ?? 0]));
  for (const t of readInt8s(row.t)) blank.delete(t);
  for (const [t, count] of blank) points.push(emptyPoint(fromMicroseconds(t), count));
  return points.sort((a, b) => a.t.getTime() - b.t.getTime());
}

/**
 * Points of single books from the stored statistics. A covering book that held nothing of the model has a point with
 * counts of 0; books whose points were dropped are missing.
 */
export async function storedBookPoints(
  db: Db,
  query: SeriesQuery,
  segment: Segment = null,
): Promise<TrendPoint[]> {
  const { scopeId, type, from, to } = query;
  const cells = await cellsOf(db, query, segment);
  const cell = cells?.at(-1);
  if (cell === undefined) return [];
  const [row] = await db<SentPoints[]>`
    select ${sentPoints(db)} from (
      select b.observed_at as t, 1 as books, coalesce(p.observations, 0) as observations,
        coalesce(p.offers, 0) as offers, coalesce(p.gpus, 0) as gpus, coalesce(p.machines, 0) as machines,
        coalesce(p.physical_gpus, 0) as physical_gpus,
        coalesce(p.physical_gpus_is_lower_bound, false) as physical_gpus_is_lower_bound,
        p.min, p.p10, p.p25, p.median, p.p75, p.p90, p.max
      from book b
      left join book_point p on p.scope_id = ${scopeId} and p.type = ${type} and p.gpu_model_id = ${cell.model}
        and p.num_gpus = ${cell.numGpus} and p.verification_tier_id = ${cell.tier} and p.t = b.observed_at
        and p.t >= ${from} and p.t < ${to}
      where b.scope_id = ${scopeId} and b.type = ${type} and b.observed_at >= ${from} and b.observed_at < ${to}
        and b.has_points and (b.verdict = 'complete' or exists (select from book_slice c
          where c.book_id = b.id and c.gpu_model_id = ${cell.model} and c.verdict = 'complete'))
      order by b.observed_at) p`;
  return row === undefined ? [] : readPoints(row);
}

const figures = ['min', 'p10', 'p25', 'median', 'p75', 'p90', 'max'] as const;
const counts = ['books', 'observations', 'offers', 'gpus', 'machines', 'physicalGpus'] as const;

/** Stored points in the order of their rows, a column each: as rows the driver would take longer than all else. */
type SentPoints = Record<
  't' | 'physicalGpusIsLowerBound' | (typeof figures)[number] | (typeof counts)[number],
  SentArray
>;

/** The columns of `SentPoints` from rows `p` of a table of points. */
const sentPoints = (db: Db): postgres.Fragment => db`
  array_send(array_agg(p.t)) as t, array_send(array_agg(p.books)) as books,
  array_send(array_agg(p.observations)) as observations, array_send(array_agg(p.offers)) as offers,
  array_send(array_agg(p.gpus)) as gpus, array_send(array_agg(p.machines)) as machines,
  array_send(array_agg(p.physical_gpus)) as "physicalGpus",
  array_send(array_agg(p.physical_gpus_is_lower_bound)) as "physicalGpusIsLowerBound",
  array_send(array_agg(p.min)) as min, array_send(array_agg(p.p10)) as p10, array_send(array_agg(p.p25)) as p25,
  array_send(array_agg(p.median)) as median, array_send(array_agg(p.p75)) as p75,
  array_send(array_agg(p.p90)) as p90, array_send(array_agg(p.max)) as max`;

function readPoints(sent: SentPoints): TrendPoint[] {
  const read = Object.fromEntries([
    ...figures.map((name) => [name, readFloat8s(sent[name])]),
    ...counts.map((name) => [name, readInt4s(sent[name])]),
  ]) as Record<(typeof figures)[number], Float64Array> & Record<(typeof counts)[number], Int32Array>;
  const isLowerBound = readFlags(sent.physicalGpusIsLowerBound);
  const count = (name: (typeof counts)[number], index: number): number => read[name][index] ?? 0;
  const figure = (name: (typeof figures)[number], index: number): number | null => {
    const value = read[name][index];
    return value === undefined || Number.isNaN(value) ? null : value;
  };
  return Array.from(readInt8s(sent.t), (t, index) => {
    const books = count('books', index);
    return {
      ...{ t: fromMicroseconds(t), books, observations: count('observations', index) },
      offers: count('offers', index) / books,
      gpus: count('gpus', index) / books,
      machines: count('machines', index) / books,
      physicalGpus: count('physicalGpus', index) / books,
      physicalGpusIsLowerBound: isLowerBound[index] === 1,
      ...{ min: figure('min', index), p10: figure('p10', index), p25: figure('p25', index) },
      ...{ median: figure('median', index), p75: figure('p75', index), p90: figure('p90', index) },
      max: figure('max', index),
    };
  });
}

/** The moment after the last book of the range whose points were dropped; null: none was. */
export async function droppedUntil(db: Db, query: SeriesQuery): Promise<Date | null> {
  const { scopeId, type, from, to } = query;
  const [row] = await db<{ at: Date }[]>`
    select observed_at as at from book where scope_id = ${scopeId} and type = ${type}
      and observed_at >= ${from} and observed_at < ${to} and not has_points
    order by observed_at desc limit 1`;
  return row === undefined ? null : new Date(row.at.getTime() + 1);
}

/** The moment from which on points of this grain are stored, within the range; null: all of the range are. */
export async function storedFrom(
  db: Db,
  { scopeId, from, to }: SeriesQuery,
  bucket: Exclude<Bucket, 'book'>,
): Promise<Date | null> {
  const [row] = await db<{ hoursFrom: Date | null; daysStored: boolean }[]>`
    select hours_from as "hoursFrom", days_stored as "daysStored" from scope where id = ${scopeId}`;
  const since = bucket === '1h' ? (row?.hoursFrom ?? null) : row?.daysStored === false ? to : null;
  return since === null || since <= from ? null : since;
}

interface Cell {
  model: number;
  numGpus: number;
  tier: number;
}

/** The cells to read, wider ones first, the wanted one last; null: nobody ever had that model. */
async function cellsOf(db: Db, { gpuName }: SeriesQuery, segment: Segment): Promise<Cell[] | null> {
  const all: Cell = { model: 0, numGpus: 0, tier: 0 };
  if (gpuName === null) return [all];
  const [row] = await db<{ model: number | null; tier: number | null }[]>`
    select (select id from gpu_model where name = ${gpuName}) as model,
      (select id from verification_tier where name = ${segment?.verification ?? null}) as tier`;
  const model = row?.model ?? null;
  if (model === null) return null;
  const ofModel: Cell = { ...all, model };
  if (segment === null) return [all, ofModel];
  // Without the tier there is no such row, but books.
  const own: Cell = { model, numGpus: segment.numGpus, tier: row?.tier ?? 32_767 };
  return [all, ofModel, own];
}
