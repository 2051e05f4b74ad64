import type { NewestBook } from '../../books/newest-books.sql.ts';
import type { Db } from '../../database/connection.ts';

/** Returns each model's physical GPUs in a complete book, each GPU once, from the book's stored points. */
export async function readPhysicalGpus(
  db: Db,
  scopeId: number,
  { type, observedAt }: NewestBook,
): Promise<Map<string, number>> {
  const rows = await db<{ gpuName: string; physicalGpus: number }[]>`
    select m.name as "gpuName", p.physical_gpus as "physicalGpus"
    from point_cell c
    join gpu_model m on m.id = c.gpu_model_id
    join book_point p on p.cell_id = c.id and p.t = ${observedAt}
    where c.scope_id = ${scopeId} and c.type = ${type} and c.num_gpus = 0 and c.verification_tier_id = 0`;
  return new Map(rows.map(({ gpuName, physicalGpus }) => [gpuName, physicalGpus]));
}
