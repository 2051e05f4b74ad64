import type postgres from 'postgres';
import { coversModel } from '../../books/covered-books.sql.ts';
import { type Bucket, countBuckets } from '../../core/bucket.ts';
import type { Verification } from '../../core/offer-fields.ts';
import type { Db } from '../../database/connection.ts';
import { fromMicroseconds, readFloat8s, readInt4s, readInt8s, type SentArray } from '../spans/sent-array.ts';
import { emptyPoint, type SeriesQuery, type TrendPoint } from './trend-point.ts';

/** A cell of level B; null: level A. */
export type Segment = { numGpus: number; verification: Verification } | null;

const tables = { '1h': 'hour_point', '1d': 'day_point', '1w': 'week_point' } as const;

/**
 * Returns points of hours, days and weeks from stored statistics, supply as means. A bucket whose complete books held
 * no offer of the model has a point with counts of 0.
 */
export async function storedPoints(
  db: Db,
  query: SeriesQuery,
  bucket: Exclude<Bucket, 'book'>,
  segment: Segment,
): Promise<TrendPoint[]> {
  const { from, to } = query;
  const { own, wider } = cellsOf(db, query, segment);
  const table = db(tables[bucket]);
  // One query per cell, a short walk down the key, so that its plan is made once for all cells.
  const rowsOf = (cell: Cell): postgres.Fragment => db`
    (select p.* from ${table} p where p.cell_id = ${cellId(db, query, cell)} and p.t >= ${from} and p.t < ${to}
      order by p.t) p`;
  const [row] = await db<SentPoints[]>`select ${sentPoints(db)} from ${rowsOf(own)}`;
  const points = row === undefined ? [] : readPoints(row);
  if (points.length >= countBuckets(bucket, query)) return points;
  // The model's own row comes later and also knows of slices.
  const blank = new Map<number, number>();
  for (const cell of wider) {
    const [covered] = await db<Record<'t' | 'books', SentArray>[]>`
      select array_send(array_agg(p.t)) as t, array_send(array_agg(p.books)) as books from ${rowsOf(cell)}
      where ${isKnown(db, query)}`;
    const books = readInt4s(covered?.books ?? null);
    readInt8s(covered?.t ?? null).forEach((t, index) => {
      blank.set(fromMicroseconds(t).getTime(), books[index] ?? 0);
    });
  }
  for (const { t } of points) blank.delete(t.getTime());
  for (const [t, count] of blank) points.push(emptyPoint(new Date(t), count));
  return points.sort((a, b) => a.t.getTime() - b.t.getTime());
}

/**
 * Returns points of single books from stored statistics. A covering book without offers of the model has a point with
 * counts of 0; books whose points were dropped are missing.
 */
export async function storedBookPoints(
  db: Db,
  query: SeriesQuery,
  segment: Segment = null,
): Promise<TrendPoint[]> {
  const { scopeId, type, from, to } = query;
  const { own } = cellsOf(db, query, segment);
  const [row] = await db<SentPoints[]>`
    select ${sentPoints(db)} from (
      select b.observed_at as t, 1 as books, coalesce(p.observations, 0) as observations,
        coalesce(p.offers, 0) as offers, coalesce(p.gpus, 0) as gpus, coalesce(p.machines, 0) as machines,
        coalesce(p.physical_gpus, 0) as physical_gpus,
        coalesce(p.physical_gpus_is_lower_bound, false) as physical_gpus_is_lower_bound,
        p.min, p.p10, p.p25, p.median, p.p75, p.p90, p.max
      from book b
      left join book_point p on p.cell_id = ${cellId(db, query, own)} and p.t = b.observed_at
        and p.t >= ${from} and p.t < ${to}
      where b.scope_id = ${scopeId} and b.type = ${type} and b.observed_at >= ${from} and b.observed_at < ${to}
        and ${isKnown(db, query)} and b.has_points and ${coversModel(db, own.model)}
      order by b.observed_at) p`;
  return row === undefined ? [] : readPoints(row);
}

/** Stored points in row order, as matrices: as rows, the driver would take most of the time. */
interface SentPoints {
  t: SentArray;
  /** int4, seven per point. */
  counts: SentArray;
  /** float8, seven per point. */
  figures: SentArray;
}

/** The columns of `SentPoints` from rows `p` of a table of points. */
const sentPoints = (db: Db): postgres.Fragment => db`
  array_send(array_agg(p.t)) as t,
  array_send(array_agg(array[p.books, p.observations, p.offers, p.gpus, p.machines, p.physical_gpus,
    p.physical_gpus_is_lower_bound::int])) as counts,
  array_send(array_agg(array[p.min, p.p10, p.p25, p.median, p.p75, p.p90, p.max])) as figures`;

function readPoints(sent: SentPoints): TrendPoint[] {
  const counts = readInt4s(sent.counts);
  const figures = readFloat8s(sent.figures);
  const count = (at: number): number => counts[at] ?? 0;
  const figure = (at: number): number | null => {
    const value = figures[at];
    return value === undefined || Number.isNaN(value) ? null : value;
  };
  return Array.from(readInt8s(sent.t), (t, index) => {
    const at = 7 * index;
    const books = count(at);
    return {
      t: fromMicroseconds(t),
      books,
      observations: count(at + 1),
      offers: count(at + 2) / books,
      gpus: count(at + 3) / books,
      machines: count(at + 4) / books,
      physicalGpus: count(at + 5) / books,
      physicalGpusIsLowerBound: count(at + 6) === 1,
      min: figure(at),
      p10: figure(at + 1),
      p25: figure(at + 2),
      median: figure(at + 3),
      p75: figure(at + 4),
      p90: figure(at + 5),
      max: figure(at + 6),
    };
  });
}

/** Returns the moment after the last book of the range whose points were dropped; null: none was. */
export async function droppedUntil(db: Db, query: SeriesQuery): Promise<Date | null> {
  const { scopeId, type, from, to } = query;
  const [row] = await db<{ at: Date }[]>`
    select observed_at as at from book where scope_id = ${scopeId} and type = ${type}
      and observed_at >= ${from} and observed_at < ${to} and not has_points
    order by observed_at desc limit 1`;
  return row === undefined ? null : new Date(row.at.getTime() + 1);
}

/** Returns the moment in the range from which points of this grain are stored; null: the whole range is stored. */
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

/** Parts of a key of stored points, as SQL that looks ids up within the query itself. */
interface Cell {
  model: postgres.Fragment;
  numGpus: number;
  tier: postgres.Fragment;
}

/** Returns the cell to read, and wider ones that know of books it has no row for, widest first. */
function cellsOf(db: Db, { gpuName }: SeriesQuery, segment: Segment): { own: Cell; wider: Cell[] } {
  const all: Cell = { model: db`0`, numGpus: 0, tier: db`0` };
  if (gpuName === null) return { own: all, wider: [] };
  const ofModel: Cell = { ...all, model: db`(select id from gpu_model where name = ${gpuName})` };
  if (segment === null) return { own: ofModel, wider: [all] };
  const { numGpus, verification } = segment;
  const tier = db`(select id from verification_tier where name = ${verification})`;
  return { own: { ...ofModel, numGpus, tier }, wider: [all, ofModel] };
}

/** SQL of the id of a cell; null: it has no points. */
const cellId = (
  db: Db,
  { scopeId, type }: SeriesQuery,
  { model, numGpus, tier }: Cell,
): postgres.Fragment => db`
  (select id from point_cell where scope_id = ${scopeId} and type = ${type} and gpu_model_id = ${model}
    and num_gpus = ${numGpus} and verification_tier_id = ${tier})`;

/** SQL of whether any book ever had the model. */
const isKnown = (db: Db, { gpuName }: SeriesQuery): postgres.Fragment =>
  gpuName === null ? db`true` : db`exists (select from gpu_model where name = ${gpuName})`;
