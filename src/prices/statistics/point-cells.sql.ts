import type postgres from 'postgres';
import type { PricingType } from '../../core/offer.ts';
import type { Db } from '../../database/connection.ts';
import type { PointRow } from './point-row.ts';

/** The series that points belong to. */
export interface CellSeries {
  scopeId: number;
  type: PricingType;
}

type Cell = Pick<PointRow, 'gpuModelId' | 'numGpus' | 'verificationTierId'>;

/** The stored id of a row's cell. */
export type CellOf = (row: Cell) => number;

/** SQL of the ids of a series' cells. */
export const cellsOfSeries = (db: Db, { scopeId, type }: CellSeries): postgres.Fragment =>
  db`select id from point_cell where scope_id = ${scopeId} and type = ${type}`;

/** Combines the ids, of which tiers begin at -1, into one number. */
const keyOf = ({ gpuModelId, numGpus, verificationTierId }: Cell): number =>
  (gpuModelId * 32_768 + numGpus) * 65_536 + verificationTierId + 1;

/** Gives the cells of some rows their ids, adding those that are new. Requires the lock of the series. */
export async function placeCells(tx: Db, series: CellSeries, rows: readonly Cell[]): Promise<CellOf> {
  const { scopeId, type } = series;
  const read = tx`id, gpu_model_id as "gpuModelId", num_gpus as "numGpus",
    verification_tier_id as "verificationTierId"`;
  const known = await tx<(Cell & { id: number })[]>`
    select ${read} from point_cell where id in (${cellsOfSeries(tx, series)})`;
  const ids = new Map(known.map((cell) => [keyOf(cell), cell.id]));
  const unknown = rows.filter((row) => !ids.has(keyOf(row)));
  if (unknown.length > 0) {
    const missing = [...new Map(unknown.map((row) => [keyOf(row), row])).values()];
    const added = await tx<(Cell & { id: number })[]>`
      insert into point_cell (scope_id, type, gpu_model_id, num_gpus, verification_tier_id)
      select ${scopeId}, ${type}, * from unnest(${missing.map(({ gpuModelId }) => gpuModelId)}::int2[],
        ${missing.map(({ numGpus }) => numGpus)}::int2[],
        ${missing.map(({ verificationTierId }) => verificationTierId)}::int2[])
      returning ${read}`;
    for (const cell of added) ids.set(keyOf(cell), cell.id);
  }
  return (row) => ids.get(keyOf(row)) as number;
}
