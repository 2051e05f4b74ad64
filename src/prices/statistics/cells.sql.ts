import type { BookMoments } from '../spans/book-moments.sql.ts';
import type { Buckets } from './book-axis.ts';
import { type PointRow, roundStatistic } from './point-row.ts';
import { type PooledPoint, prepareCell } from './pooled-points.ts';
import { type Picked, pickAll, pickBy, type SpanColumns } from './span-columns.ts';

/** Buckets of one grain to compute. */
export interface Grid {
  buckets: Buckets;
  /** The start of each bucket; for single books, their moments. */
  times: readonly Date[];
  /** Whether to compute level B as well, by GPU count and verification. */
  withSegments: boolean;
  isBook: boolean;
}

/** Combines tiers -1 (unknown) to 32,766 and the GPU count into one number. */
const segmentOf = (numGpus: number, tier: number): number => numGpus * 65_536 + tier + 1;

/** Returns the rows of each grid: all models, each model and, if requested, each of its segments. */
export function computeRows(spans: SpanColumns, books: BookMoments, grids: readonly Grid[]): PointRow[][] {
  const rows: PointRow[][] = grids.map(() => []);
  const addCell = (picked: Picked, gpuModelId: number, segment: { numGpus: number; tier: number } | null) => {
    const cell = prepareCell(spans, picked);
    const covered = books.coverOf(gpuModelId === 0 ? null : gpuModelId);
    grids.forEach((grid, index) => {
      if (segment !== null && !grid.withSegments) return;
      for (const point of cell.points(grid.buckets, covered)) {
        // Zeros are stored only if no other row says that the books were complete.
        const isNeeded = gpuModelId === 0 || (segment === null && hasSlice(books, gpuModelId, grid, point));
        if (point.offers === 0 && !isNeeded) continue;
        rows[index]?.push({
          ...rounded(point, grid.isBook),
          t: grid.times[point.bucket] ?? new Date(Number.NaN),
          gpuModelId,
          numGpus: segment?.numGpus ?? 0,
          verificationTierId: segment?.tier ?? 0,
        });
      }
    });
  };
  addCell(pickAll(spans), 0, null);
  const models = pickBy(spans, (place) => spans.gpuModelId[place] as number);
  for (const model of books.slices.keys()) if (!models.has(model)) models.set(model, new Int32Array(0));
  for (const [model, picked] of models) {
    addCell(picked, model, null);
    if (!grids.some(({ withSegments }) => withSegments)) continue;
    const keyOf = (place: number): number =>
      segmentOf(spans.numGpus[place] as number, spans.verificationTierId[place] as number);
    for (const places of Map.groupBy(picked, keyOf).values()) {
      const [place = 0] = places;
      const segment = {
        numGpus: spans.numGpus[place] as number,
        tier: spans.verificationTierId[place] as number,
      };
      addCell(Int32Array.from(places), model, segment);
    }
  }
  return rows;
}

function hasSlice(books: BookMoments, model: number, { buckets }: Grid, { bucket }: PooledPoint): boolean {
  const [from, to] = [buckets.from[bucket] as number, buckets.to[bucket] as number];
  return books.slices.get(model)?.some((ordinal) => ordinal >= from && ordinal < to) ?? false;
}

function rounded({ bucket: _, ...point }: PooledPoint, isBook: boolean): Omit<PooledPoint, 'bucket'> {
  if (isBook || point.percentiles === null) return point;
  return { ...point, percentiles: point.percentiles.map(roundStatistic) };
}
