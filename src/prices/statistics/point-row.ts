import type { PooledPoint } from './pooled-points.ts';

/** A stored point: cell, moment and figures. 0 is every model, count or tier; tier -1 is unknown. */
export interface PointRow extends Omit<PooledPoint, 'bucket'> {
  t: Date;
  gpuModelId: number;
  numGpus: number;
  verificationTierId: number;
}

/** Rounds percentiles of larger buckets to 9 significant digits. Source: docs/meaning.md#buckets. */
export const roundStatistic = (value: number): number => Number(value.toPrecision(9));
