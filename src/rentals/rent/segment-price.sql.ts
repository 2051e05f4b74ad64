import type { Offer } from '../../core/offer.ts';
import type { Actor } from '../actor.ts';
import { newestCompleteBook } from './newest-book.ts';

/**
 * Returns the 90th percentile of $/GPU-hour, at the base price, among the newest complete book's offers of the same model
 * and type; null: it has none, or there is no such book.
 */
export async function segmentP90(
  { sql, market }: Pick<Actor, 'sql' | 'market'>,
  { gpuName, type }: Pick<Offer, 'gpuName' | 'type'>,
): Promise<number | null> {
  const book = await newestCompleteBook({ sql, market }, type);
  if (book === null) return null;
  const [row] = await sql<{ value: number | null }[]>`
    select percentile_cont(0.9) within group (order by o.base_usd_per_hour / l.num_gpus) as value
    from latest_offer o join listing l on l.id = o.listing_id join gpu_model m on m.id = l.gpu_model_id
    where o.book_id = ${book.id} and m.name = ${gpuName}`;
  return row?.value ?? null;
}
