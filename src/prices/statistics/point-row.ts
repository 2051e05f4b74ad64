import type { PooledPoint } from './pooled-points.ts';

/** A stored point: its cell, its moment and its figures. 0 is every model, count or tier; tier -1 is unknown. */
export interface PointRow extends Omit<PooledPoint, 'bucket'> {
  t: Date;
  gpuModelId: number;
  numGpus: number;
  verificationTierId: number;
}

/** Percentiles of larger buckets are kept to 9 significant digits. Source: docs/meaning.md#buckets. */
export const roundStatistic = (value: number): number => Number(value.toPrecision(9));
