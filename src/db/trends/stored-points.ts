import type { Bucket } from '../../domain/bucket.ts';
import type { Verification } from '../../domain/offer.ts';
import type { Db } from '../connection.ts';
import { emptyPoint, type SeriesQuery, type TrendPoint } from './trend-point.ts';

/** A cell of level B; null: level A. */
export type Segment = { numGpus: number; verification: Verification } | null;

const tables = { '1h': 'hour_point', '1d': 'day_point', '1w': 'week_point' } as const;

interface StoredRow extends TrendPoint {
  /** 0: all models, which tells how many books were complete. */
  level: 'all' | 'model' | 'segment';
}

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
  if (cells === null) return [];
  // One short walk down the key a cell: `in` over rows would read the whole of a type.
  const rows = await db<StoredRow[]>`
    select c.level, p.t, p.books, p.observations, p.offers::float8 / p.books as offers,
      p.gpus::float8 / p.books as gpus, p.machines::float8 / p.books as machines,
      p.physical_gpus::float8 / p.books as "physicalGpus",
      p.physical_gpus_is_lower_bound as "physicalGpusIsLowerBound",
      p.min, p.p10, p.p25, p.median, p.p75, p.p90, p.max
    from unnest(${cells.map(({ level }) => level)}::text[], ${cells.map(({ model }) => model)}::int2[],
      ${cells.map(({ numGpus }) => numGpus)}::int2[], ${cells.map(({ tier }) => tier)}::int2[])
      as c(level, gpu_model_id, num_gpus, tier)
    join ${db(tables[bucket])} p on p.scope_id = ${scopeId} and p.type = ${type}
      and p.gpu_model_id = c.gpu_model_id and p.num_gpus = c.num_gpus and p.verification_tier_id = c.tier
      and p.t >= ${from} and p.t < ${to}
    order by p.t`;
  return assemble(rows, cells[cells.length - 1]?.level ?? 'all');
}

/** Takes the wanted level's rows, and zeros where only wider ones say that there were books. */
function assemble(rows: readonly StoredRow[], wanted: StoredRow['level']): TrendPoint[] {
  const points: TrendPoint[] = [];
  let at = 0;
  while (at < rows.length) {
    const t = rows[at]?.t.getTime() ?? 0;
    let own: StoredRow | undefined;
    let books = 0;
    for (; at < rows.length && rows[at]?.t.getTime() === t; at += 1) {
      const row = rows[at] as StoredRow;
      if (row.level === wanted) own = row;
      // The model's own row knows of slices too.
      if (row.level === 'model' || books === 0) books = row.books;
    }
    points.push(own === undefined ? emptyPoint(new Date(t), books) : pointOf(own));
  }
  return points;
}

/** The row without its level, field by field: wide rows of the driver are hash tables, which are slow to copy. */
function pointOf(row: StoredRow): TrendPoint {
  const { t, books, observations, offers, gpus, machines, physicalGpus, physicalGpusIsLowerBound } = row;
  const { min, p10, p25, median, p75, p90, max } = row;
  return {
    ...{ t, books, observations, offers, gpus, machines, physicalGpus, physicalGpusIsLowerBound },
    ...{ min, p10, p25, median, p75, p90, max },
  };
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
  return await db<TrendPoint[]>`
    select b.observed_at as t, 1 as books, coalesce(p.observations, 0) as observations,
      coalesce(p.offers, 0) as offers, coalesce(p.gpus, 0) as gpus, coalesce(p.machines, 0) as machines,
      coalesce(p.physical_gpus, 0) as "physicalGpus",
      coalesce(p.physical_gpus_is_lower_bound, false) as "physicalGpusIsLowerBound",
      p.min, p.p10, p.p25, p.median, p.p75, p.p90, p.max
    from book b
    left join book_point p on p.scope_id = ${scopeId} and p.type = ${type} and p.gpu_model_id = ${cell.model}
      and p.num_gpus = ${cell.numGpus} and p.verification_tier_id = ${cell.tier} and p.t = b.observed_at
      and p.t >= ${from} and p.t < ${to}
    where b.scope_id = ${scopeId} and b.type = ${type} and b.observed_at >= ${from} and b.observed_at < ${to}
      and b.has_points and (b.verdict = 'complete' or exists (select from book_slice c
        where c.book_id = b.id and c.gpu_model_id = ${cell.model} and c.verdict = 'complete'))
    order by b.observed_at`;
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
  level: StoredRow['level'];
  model: number;
  numGpus: number;
  tier: number;
}

/** The cells to read, the wanted one last; null: nobody ever had that model. */
async function cellsOf(db: Db, { gpuName }: SeriesQuery, segment: Segment): Promise<Cell[] | null> {
  const all: Cell = { level: 'all', model: 0, numGpus: 0, tier: 0 };
  if (gpuName === null) return [all];
  const [row] = await db<{ model: number | null; tier: number | null }[]>`
    select (select id from gpu_model where name = ${gpuName}) as model,
      (select id from verification_tier where name = ${segment?.verification ?? null}) as tier`;
  const model = row?.model ?? null;
  if (model === null) return null;
  const ofModel: Cell = { ...all, level: 'model', model };
  if (segment === null) return [all, ofModel];
  // Without the tier there is no such row, but books.
  const own: Cell = { level: 'segment', model, numGpus: segment.numGpus, tier: row?.tier ?? 32_767 };
  return [all, ofModel, own];
}
