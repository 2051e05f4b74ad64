import type { Db } from '../../database/connection.ts';

/** Returns a percentile of the base price per GPU among a book's offers of one model; null: it has none. */
export async function segmentPercentile(
  db: Db,
  { bookId, gpuName, share }: { bookId: number; gpuName: string; share: number },
): Promise<number | null> {
  const [row] = await db<{ value: number | null }[]>`
    select percentile_cont(${share}::float8) within group (order by o.base_usd_per_hour / l.num_gpus) as value
    from latest_offer o join listing l on l.id = o.listing_id join gpu_model m on m.id = l.gpu_model_id
    where o.book_id = ${bookId} and m.name = ${gpuName}`;
  return row?.value ?? null;
}
